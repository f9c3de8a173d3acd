import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { credits, PACK } from "../fixtures/sold";
import { withBrowser } from "../helpers/browser";
import { someOf } from "../helpers/runs";
import { expectSignedIn } from "../helpers/signed-in";
import type { Visitor } from "../helpers/story/pages";
import { describeFocus, isReadBefore, markControls } from "../helpers/tab-order";
import { withStorySite } from "../helpers/with-story-site";

const site = withStorySite();
const browser = withBrowser();

async function openAs(visitor: Visitor, path: string): Promise<Page> {
  const page = await browser.open({ javaScript: true });
  await site.enterAs(visitor, page.context());
  // A page of React's handles keys once its script has run; that of any other page has run when it is loaded.
  const waitUntil = /^\/(demo|files)/.test(path) ? "networkidle" : "load";
  await page.goto(`${site.app.url}/en${path}`, { waitUntil });
  return page;
}

const openNamed = (name: string) => {
  const { visitor, path } = site.find(name);
  return openAs(visitor, path);
};

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80 && !(await hasFocus()); presses += 1) {
    await page.keyboard.press("Tab");
  }
  expect(await hasFocus(), "the Tab key reaches the control").toBe(true);
}

const FORMS: [name: string, open: () => Promise<Page>][] = [
  ...[
    "sign-in",
    "sign-up",
    "forgot-password",
    "create",
    "files",
    "pricing",
    "billing-cancel",
    "profile",
    "email",
    "security",
  ].map((name): [string, () => Promise<Page>] => [name, () => openNamed(name)]),
  ["delete", () => openAs("empty", "/account/delete")],
];

test.each(someOf(FORMS, 3))(
  "%s: the Tab key reaches every control of its forms in reading order, and each shows its focus",
  async (_, open) => {
    const page = await open();
    const expected = await page.evaluate(markControls);
    expect(expected).toBeGreaterThan(0);
    const reached = new Set<string>();
    const faults: string[] = [];
    let last: ReturnType<typeof describeFocus> | null = null;
    for (let presses = 0; presses < 150 && reached.size < expected; presses += 1) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(describeFocus);
      if (!focus.isVisible) faults.push(`shows no focus: ${focus.html}`);
      if (focus.control === null) continue;
      reached.add(focus.control);
      if (last?.form === focus.form && !isReadBefore(last, focus))
        faults.push(`comes too late: ${focus.html}`);
      last = focus;
    }
    expect(reached.size).toBe(expected);
    expect(faults).toEqual([]);
  },
);

test("the first Tab offers to skip to the content", async () => {
  const page = await openNamed("home");
  await page.keyboard.press("Tab");
  const target = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  expect(target).toBe("#main");
});

test("sign-up needs no mouse", async () => {
  const page = await openNamed("sign-up");
  await tabTo(page, page.getByLabel("Email address"));
  await page.keyboard.type("keyboard@example.com");
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type("correct horse battery");
  await page.keyboard.press("Enter");
  await expectSignedIn(page);
});

/** Resolves once the focus is in a message of the page, and returns the message. */
async function focusedMessage(page: Page): Promise<string> {
  const message = page.locator("main :focus:has([role=alert])");
  await message.waitFor();
  return (await message.textContent()) ?? "";
}

test("after a wrong password, the message that says so has the focus", async () => {
  const page = await openNamed("sign-in");
  await tabTo(page, page.getByLabel("Email address"));
  await page.keyboard.type("nobody@example.com");
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  expect(await focusedMessage(page)).toMatch(/password/i);
});

test.each(["sign-in", "sign-up", "forgot-password"])(
  "%s: after a refusal the first faulty field has the focus and says why",
  async (name) => {
    const page = await openNamed(name);
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

test("images can be made without a mouse", async () => {
  const page = await openNamed("create");
  const prompt = page.getByRole("textbox", { name: "What do you want to see?" });
  await tabTo(page, prompt);
  await page.keyboard.type("a lake");
  await tabTo(page, page.getByRole("radio", { name: "1 image" }));
  await page.keyboard.press("ArrowRight");
  await tabTo(page, page.getByRole("button", { name: /^Generate 2 images/ }));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your 2 images are ready" }).waitFor();
});

test("with too few credits, the message that says so has the focus", async () => {
  const page = await openNamed("create-empty");
  await page.getByRole("textbox", { name: "What do you want to see?" }).fill("a lake");
  await tabTo(page, page.getByRole("button", { name: /^Generate 1 image/ }));
  await page.keyboard.press("Enter");
  expect(await focusedMessage(page)).toMatch(/more credits/);
});

test("a file can be chosen and sent without a mouse", async () => {
  const page = await openNamed("files-empty");
  // Asked for early: the browser takes a moment to hand its dialogs over.
  const chooser = page.waitForEvent("filechooser");
  await tabTo(page, page.getByLabel("Drop files here, or choose them"));
  await page.keyboard.press("Enter");
  const buffer = Buffer.from("%PDF-1.4\n%%EOF\n");
  await (await chooser).setFiles({ name: "letter.pdf", mimeType: "application/pdf", buffer });
  await tabTo(page, page.getByRole("button", { name: "Upload", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "letter.pdf", exact: true }).waitFor();
});

test("a pack can be bought without a mouse", async () => {
  const page = await openNamed("pricing-member");
  await tabTo(page, page.getByRole("button", { name: `Buy ${credits(PACK.credits)}` }));
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).origin).not.toBe(site.app.url);
});

test("a plan can be cancelled without a mouse", async () => {
  const page = await openNamed("billing-cancel");
  await tabTo(page, page.locator("main form button"));
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "plan" }).waitFor();
});

test("the account isn't deleted with a wrong password, and the faulty field has the focus", async () => {
  const page = await openAs("empty", "/account/delete");
  const password = page.locator("main form input[type=password]");
  await tabTo(page, password);
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await page.waitForLoadState("load");
  expect(await focusedMessage(page)).toMatch(/password/i);
});

test("Escape closes the account menu and returns the focus to its button", async () => {
  const page = await openNamed("account");
  const menu = page.getByRole("banner").locator("summary", { hasNot: page.locator(".icon-24") });
  await tabTo(page, menu);
  await page.keyboard.press("Enter");
  const signOut = page.getByRole("banner").getByRole("button", { name: "Sign out" });
  await tabTo(page, signOut);
  await page.keyboard.press("Escape");
  await signOut.waitFor({ state: "hidden" });
  expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a menu closes when the focus leaves it", async () => {
  const page = await openNamed("account");
  const menu = page.getByRole("banner").locator("summary", { hasNot: page.locator(".icon-24") });
  await menu.click();
  const signOut = page.getByRole("banner").getByRole("button", { name: "Sign out" });
  await tabTo(page, signOut);
  await page.keyboard.press("Tab");
  await signOut.waitFor({ state: "hidden" });
});
