import { expect, test } from "vitest";
import { withBrowser } from "../helpers/browser";
import { createClient, newAddress, PASSWORD, signUp } from "../helpers/client";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withTestServer } from "../helpers/with-test-server";

const app = withTestServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });
const browser = withBrowser();

const FORMS = ["/en/sign-up", "/en/sign-in"];

test("with JavaScript: a password can be shown and hidden, and is hidden when it is sent", async () => {
  const page = await browser.open({ javaScript: true });
  for (const form of FORMS) {
    await page.goto(app.url + form);
    const password = page.getByLabel("Password", { exact: true });
    const button = page.getByRole("button", { name: "Show password" });
    await password.fill(PASSWORD);
    expect(await password.getAttribute("type")).toBe("password");
    await button.click();
    expect(await password.getAttribute("type")).toBe("text");
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    await page.getByText("Hide", { exact: true }).waitFor();
    await button.click();
    expect(await password.getAttribute("type")).toBe("password");
  }
  await page.getByLabel("Email address").fill("nobody@example.com");
  await page.getByRole("button", { name: "Show password" }).click();
  const typeWhenSent = page.evaluate(
    () =>
      new Promise((resolve) =>
        document.forms.namedItem("credentials")?.addEventListener("submit", (event) => {
          event.preventDefault();
          resolve(document.querySelector<HTMLInputElement>("#credentials-password")?.type);
        }),
      ),
  );
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  expect(await typeWhenSent).toBe("password");
});

test("without JavaScript: there is no button that could do nothing", async () => {
  const page = await browser.open({ javaScript: false });
  for (const form of FORMS) {
    await page.goto(app.url + form);
    expect(await page.getByRole("button", { name: "Show password" }).count()).toBe(0);
  }
});

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: the rule for a new password stands there and is checked before the click; a refusal keeps the address`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/sign-up`);
    await page.getByText("At least 12 characters.").waitFor();
    const password = page.getByLabel("Password", { exact: true });
    expect(await password.getAttribute("minlength")).toBe("12");
    await page.getByLabel("Email address").fill("rules@example.com");
    await password.pressSequentially("too short");
    await page.getByRole("button", { name: "Create account" }).click();
    expect(await page.locator("#credentials-password:invalid").count()).toBe(1);
    await password.fill("passwordpassword");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("This password is too easy to guess.").waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe("rules@example.com");
    expect(await page.content()).not.toContain("passwordpassword");
  });

  test(`${mode}: beyond the limit the page says in minutes when to try again`, async () => {
    const page = await browser.open({ javaScript });
    const { email } = await signUp(app.url);
    const address = newAddress();
    const client = createClient(app.url, address);
    await page.setExtraHTTPHeaders({ "X-Forwarded-For": address });
    for (let times = 0; times < 10; times++)
      await client.post("/en/sign-in", { email, password: "a wrong password" });
    await page.goto(`${app.url}/en/sign-in`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("a wrong password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page
      .getByText(/Too many attempts\. Nothing was changed\. Try again in 1\d minutes\./)
      .waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe(email);
  });
}
