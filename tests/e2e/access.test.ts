import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { listFindings } from "../helpers/axe";
import { withBrowser } from "../helpers/browser";
import { PAGE_NAMES, withStorySite } from "../helpers/with-story-site";

const site = withStorySite();
const browser = withBrowser();

/** 1280 px at a zoom of 400 %, and so 640 px at 200 %. */
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 900 };

async function open(
  name: string,
): Promise<{ page: Page; show: (locale: string) => Promise<void> }> {
  const { visitor, path } = site.find(name);
  const page = await browser.open({ javaScript: true });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await site.enterAs(visitor, page.context());
  const show = async (locale: string) => {
    await page.goto(`${site.app.url}/${locale}${path}`);
  };
  return { page, show };
}

test.each(PAGE_NAMES)(
  "%s: axe finds nothing in any language and theme, and nothing moves or scrolls sideways",
  async (name) => {
    const { page, show } = await open(name);
    const findings: string[] = [];
    const note = (where: string, found: string[]) =>
      findings.push(...found.map((finding) => `${where}: ${finding}`));
    for (const locale of LOCALES) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: "light" });
      await show(locale);
      note(`${locale}, light`, await listFindings(page));
      await page.emulateMedia({ colorScheme: "dark" });
      note(`${locale}, dark`, await listFindings(page, "colours"));
      note(`${locale}, moves`, await page.evaluate(runningAnimations));
      await page.setViewportSize(NARROW);
      note(`${locale}, too wide`, await page.evaluate(elementsTooWide));
    }
    expect(findings).toEqual([]);
  },
);

/** Runs in the page. */
function runningAnimations(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }) => playState === "running")
    .map((animation) => String((animation as CSSAnimation).animationName));
}

/** Runs in the page: names what makes it scroll sideways. */
function elementsTooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return right > clientWidth + 1 && width > 0;
  });
  return [
    `${scrollWidth} px`,
    ...wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120)),
  ];
}

const WITH_FORMS = [
  "sign-in",
  "sign-up",
  "forgot-password",
  "create",
  "files",
  "billing-cancel",
  "profile",
  "email",
  "security",
];

test.each(WITH_FORMS)(
  "%s: the Tab key reaches every control of its forms, and each shows its focus",
  async (name) => {
    const { page, show } = await open(name);
    await show("en");
    const expected = await page.evaluate(markControls);
    expect(expected).toBeGreaterThan(0);
    const reached = new Set<string>();
    const unseen: string[] = [];
    for (let presses = 0; presses < 150 && reached.size < expected; presses += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(describeFocus);
      if (focused.control !== null) reached.add(focused.control);
      if (!focused.isVisible) unseen.push(focused.html);
    }
    expect(reached.size).toBe(expected);
    expect(unseen).toEqual([]);
  },
);

/** Runs in the page: numbers the controls that the Tab key should reach; of a group of radios, one. */
function markControls(): number {
  const groups = new Set<string>();
  const controls = [
    ...document.querySelectorAll<HTMLInputElement>(
      "main form :is(input:not([type=hidden]), select, textarea, button)",
    ),
  ].filter((control) => {
    if (control.disabled || control.tabIndex < 0 || !control.checkVisibility()) return false;
    if (control.type !== "radio") return true;
    if (groups.has(control.name)) return false;
    groups.add(control.name);
    return true;
  });
  for (const [index, control] of controls.entries()) {
    control.dataset.control = String(index);
    if (control.type !== "radio") continue;
    const form = control.form;
    for (const radio of form?.querySelectorAll<HTMLInputElement>("input[type=radio]") ?? []) {
      if (radio.name === control.name) radio.dataset.control = String(index);
    }
  }
  return controls.length;
}

/** Runs in the page. A hidden radio shows its focus on its label. */
function describeFocus() {
  const element = document.activeElement as HTMLElement;
  const candidates = [
    element,
    element.closest("label"),
    element.nextElementSibling,
    element.parentElement,
  ].filter((candidate): candidate is HTMLElement => candidate instanceof HTMLElement);
  const isVisible = candidates.some((candidate) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  });
  return {
    control: element.dataset.control ?? null,
    isVisible: isVisible || element === document.body,
    html: element.outerHTML.slice(0, 160),
  };
}

test("the first Tab offers to skip to the content", async () => {
  const { page, show } = await open("home");
  await show("en");
  await page.keyboard.press("Tab");
  const target = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  expect(target).toBe("#main");
});

test.each(["sign-in", "sign-up", "forgot-password"])(
  "%s: after a refusal the first faulty field has the focus and says why",
  async (name) => {
    const { page, show } = await open(name);
    await show("en");
    await page.locator("main form input[name=email]").first().fill("not an address");
    const password = page.locator("main form input[name=password]");
    if ((await password.count()) > 0) await password.first().fill("long enough to be one");
    // The browser would refuse it first.
    const isSent = page.waitForEvent("load");
    await page
      .locator("main form:has(input[name=email])")
      .first()
      .evaluate((form) => {
        (form as HTMLFormElement).noValidate = true;
        (form as HTMLFormElement).requestSubmit();
      });
    await isSent;
    const focused = page.locator(":focus");
    await expect.poll(() => focused.getAttribute("name")).toBe("email");
    expect(await focused.getAttribute("aria-invalid")).toBe("true");
    const why = await focused.evaluate((field) =>
      (field.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(""),
    );
    expect(why).not.toBe("");
  },
);

test("a wrong password moves the focus to the message that says so", async () => {
  const { page, show } = await open("sign-in");
  await show("en");
  await page.locator("main form input[name=email]").first().fill("nobody@example.com");
  await page.locator("main form input[name=password]").first().fill("not the password");
  await page.keyboard.press("Enter");
  const focused = page.locator("main :focus");
  await expect
    .poll(async () => (await focused.textContent().catch(() => ""))?.length)
    .toBeGreaterThan(9);
});

test("in forced colours, every button and field keeps an edge", async () => {
  const { page, show } = await open("sign-in");
  await page.emulateMedia({ forcedColors: "active" });
  await show("en");
  const edgeless = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main :is(button, input:not([type=hidden]))")]
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const { borderStyle, borderWidth } = getComputedStyle(control);
        return borderStyle === "none" || Number.parseFloat(borderWidth) === 0;
      })
      .map((control) => control.outerHTML.slice(0, 120)),
  );
  expect(edgeless).toEqual([]);
});
