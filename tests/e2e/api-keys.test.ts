import { expect, test } from "vitest";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PASSWORD } from "../helpers/client";
import { makeStale } from "../helpers/factors";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withTestServer } from "../helpers/with-test-server";

const app = withTestServer();
const browser = withBrowser();
const KEYS = "/en/account/api-keys";

const credits = async (key: string) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await fetch(`${app.url}/api/account/credits`, { headers })).status;
};

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a key is made, shown once, used, and revoked`, async () => {
    const page = await browser.open({ javaScript });
    await enter(page, app.url);
    await page.goto(app.url + KEYS);
    await page.getByText("You have no keys yet.").waitFor();
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByLabel("Name").fill("My script");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("Choose at least one thing that the key may do.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("My script");
    await page.getByLabel("read runs, files and credits").check();
    await page.getByLabel("Most credits a month").fill("200");
    await page.getByLabel("Days until it expires").fill("30");
    await page.getByRole("button", { name: "Make the key" }).click();
    const made = page.getByRole("region", { name: "Your new key" });
    const key = await made.locator("pre").first().innerText();
    expect(key).toMatch(/^rcs_test_[0-9a-z]{33}$/);
    await expectNarrow(page);
    expect(await credits(key)).toBe(200);
    // The browser sends the form again, as after a double click.
    await page.reload();
    expect(await made.locator("pre").first().innerText()).toBe(key);
    await page.goto(app.url + KEYS);
    expect(await page.getByRole("button", { name: /^Revoke the key/ }).count()).toBe(1);
    const shown = await page.getByRole("main").innerText();
    expect(shown).toContain("0 of 200 credits used");
    expect(shown).toContain(key.slice(0, 12));
    expect(shown).not.toContain(key);
    await page.getByRole("button", { name: "Revoke the key: My script" }).click();
    await page.getByText("The key is revoked.").waitFor();
    expect(await credits(key)).toBe(401);
  });

  test(`${mode}: some time after the sign-in the form asks for the password`, async () => {
    const page = await browser.open({ javaScript });
    const { email } = await enter(page, app.url);
    await makeStale(app, email);
    await page.goto(app.url + KEYS);
    await page.getByLabel("Name").fill("My script");
    await page.getByLabel("make things for credits").check();
    await page.getByLabel("Your password").fill("not the right password");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("password").first().waitFor();
    expect(await page.getByLabel("make things for credits").isChecked()).toBe(true);
    expect(await page.getByRole("region", { name: "Your new key" }).count()).toBe(0);
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("region", { name: "Your new key" }).waitFor();
  });
}

test.each(["make things for credits", "read runs, files and credits"])(
  "the command beside a new key works for one that may only %s",
  async (scope) => {
    const page = await browser.open({ javaScript: false });
    await enter(page, app.url);
    await page.goto(app.url + KEYS);
    await page.getByLabel("Name").fill("My script");
    await page.getByLabel(scope).check();
    await page.getByRole("button", { name: "Make the key" }).click();
    const made = page.getByRole("region", { name: "Your new key" });
    const command = await made.locator("pre").nth(1).innerText();
    const [, address = "", key = ""] =
      /^curl (\S+) -H "Authorization: Bearer (\w+)"$/.exec(command) ?? [];
    const { pathname } = new URL(address);
    const headers = { Authorization: `Bearer ${key}` };
    expect((await fetch(app.url + pathname, { headers })).status).toBe(200);
  },
);

test("an account without a password first confirms who is there, and comes back", async () => {
  const page = await browser.open({ javaScript: false });
  const { email } = await enter(page, app.url);
  await app.sql("UPDATE users SET password_hash = NULL WHERE email = $1", [email]);
  await makeStale(app, email);
  await page.goto(app.url + KEYS);
  await page.getByRole("link", { name: "Confirm it’s you" }).click();
  expect(new URL(page.url()).searchParams.get("redirectTo")).toBe(KEYS);
});

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a limit for the whole account is set after a proof, and taken away`, async () => {
    const page = await browser.open({ javaScript });
    const { email } = await enter(page, app.url);
    await makeStale(app, email);
    await page.goto(`${app.url}/en/account/limits`);
    await page.getByText("0 credits used this month, with no limit.").waitFor();
    await page.getByLabel("Most credits a month").fill("many");
    await page.getByRole("button", { name: "Save the limit" }).click();
    await page.getByText("Enter a whole number of credits").waitFor();
    await page.getByLabel("Most credits a month").fill("500");
    await page.getByRole("button", { name: "Save the limit" }).click();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Your limit is saved.").waitFor();
    await page.getByText("0 of 500 credits used this month.").waitFor();
    await expectNarrow(page);
    await page.getByLabel("Most credits a month").fill("");
    await page.getByRole("button", { name: "Save the limit" }).click();
    await page.getByText("0 credits used this month, with no limit.").waitFor();
  });
}
