import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withTestServer } from "../helpers/with-test-server";

const SUPPORT_EMAIL = "help@shop.example";
const SUPPORT_URL = "https://shop.example/help";

const app = withTestServer({ SUPPORT_EMAIL, SUPPORT_URL });
const lonely = withTestServer();
const browser = withBrowser();

/** Makes every page of somebody who is signed in fail, as long as `look` runs. */
async function whileBroken(look: () => Promise<void>): Promise<void> {
  await app.sql("ALTER TABLE sessions RENAME TO sessions_gone");
  try {
    await look();
  } finally {
    await app.sql("ALTER TABLE sessions_gone RENAME TO sessions");
  }
}

const mailLink = (page: Page, name: string) =>
  page.getByRole("main").getByRole("link", { name }).getAttribute("href");

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: the footer of each page leads to somebody who can help`, async () => {
    const page = await browser.open({ javaScript });
    for (const path of ["", "/pricing", "/sign-up", "/nowhere"]) {
      await page.goto(`${app.url}/en${path}`);
      const footer = page.getByRole("contentinfo");
      const links = [SUPPORT_EMAIL, "Help page"].map((name) =>
        footer.getByRole("link", { name }).getAttribute("href"),
      );
      expect(await Promise.all(links)).toEqual([`mailto:${SUPPORT_EMAIL}`, SUPPORT_URL]);
    }
    await expectNarrow(page);
  });

  test(`${mode}: an unexpected error keeps the header, offers another try and a mail with the request's number`, async () => {
    const page = await browser.open({ javaScript });
    await enter(page, app.url);
    await whileBroken(async () => {
      await page.goto(`${app.url}/en/account`);
      await page.getByRole("heading", { name: "Something went wrong on our side" }).waitFor();
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).first().waitFor();
      const requestId = await page.locator("main code").innerText();
      expect(await mailLink(page, "Tell us about it")).toBe(
        `mailto:${SUPPORT_EMAIL}?subject=${encodeURIComponent(`Request ${requestId}`)}`,
      );
      await expectNarrow(page);
    });
    await page.getByRole("main").getByRole("link", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "0 credits" }).waitFor();
  });
}

test("a page that doesn't exist has the way to somebody, and where nobody can be reached no text promises it", async () => {
  const page = await browser.open({ javaScript: false });
  await page.goto(`${app.url}/en/nowhere/else`);
  expect(await mailLink(page, "Tell us about it")).toContain(SUPPORT_EMAIL);
  for (const path of ["/refunds", "/forgot-password", "/nowhere/else"]) {
    await page.goto(`${lonely.url}/en${path}`);
    expect(await page.locator("body").innerText()).not.toMatch(/write to us|send us|tell us/i);
    expect(await page.getByRole("heading", { name: "Help" }).count()).toBe(0);
  }
});
