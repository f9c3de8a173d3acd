import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enter, withBrowser } from "../helpers/browser";
import { storeImageRuns } from "../helpers/stored-image-runs";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser({ backForwardCache: true });

async function openSignedIn(path: string): Promise<Page> {
  const page = await browser.open({ javaScript: true });
  await enter(page, app.url);
  await page.goto(app.url + path);
  return page;
}

test("a form on its way isn't sent again, and goes with the name of its button", async () => {
  const page = await openSignedIn("/en/account/profile");
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") bodies.push(request.postData() ?? "");
  });
  await page.getByLabel("Name").fill("Ana");
  const button = page.getByRole("button", { name: "Save", exact: true });
  // Browsers drop a second click in the same moment by themselves; a later one is a new submission.
  const isSentAgain = await button.evaluate((element: HTMLButtonElement) => {
    element.click();
    const again = new SubmitEvent("submit", { bubbles: true, cancelable: true });
    return element.form?.dispatchEvent(again);
  });
  expect(isSentAgain).toBe(false);
  await page.getByText("Your profile is saved.").waitFor();
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toContain("intent=profile");
});

test("a form whose page is left for another site can be sent again after the Back button", async () => {
  const page = await openSignedIn("/en/account/profile");
  const button = page.getByRole("button", { name: "Save", exact: true });
  // As on the way to another page, which the browser then shows.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>("main form");
    if (!form) throw new Error("no form");
    form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  });
  await expect.poll(() => button.isDisabled()).toBe(true);
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  expect(await button.isEnabled()).toBe(true);
});

// A failed run has a time of its own, and is folded away.
for (const path of ["/en/account/security", "/en/demo/image-generator?failed=show"])
  test(`${path} shows times in the reader's time zone, with UTC in the title`, async () => {
    const page = await browser.open({ javaScript: true });
    const { email } = await enter(page, app.url);
    if (path.includes("generator"))
      await storeImageRuns(app, email, [{ prompt: "A cat", status: "refunded" }]);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" });
    await page.goto(app.url + path);
    const time = page.locator("main time").first();
    const expected = await time.evaluate((element: HTMLTimeElement) => {
      const format = { dateStyle: "medium", timeStyle: "short" } as const;
      const date = new Date(element.dateTime);
      return {
        local: new Intl.DateTimeFormat("en", { ...format, timeZone: "Asia/Tokyo" }).format(date),
        utc: new Intl.DateTimeFormat("en", { ...format, timeZone: "UTC" }).format(date),
      };
    });
    await page.waitForLoadState("networkidle");
    await expect.poll(() => time.textContent()).toBe(expected.local);
    await expect.poll(() => time.getAttribute("title")).toBe(`${expected.utc} UTC`);
  });
