import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withBrowser } from "../helpers/browser";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { expectSignedIn, signOut } from "../helpers/signed-in";
import { newPerson, type ProviderPerson, withOauthServer } from "../helpers/with-oauth-server";

const app = withOauthServer();
const browser = withBrowser();
const PASSWORD = "correct horse battery";

/** Chooses who one is on the provider's page and presses a button there. */
async function decide(page: Page, person: ProviderPerson, button: "Allow" | "Deny") {
  await page.getByLabel("Somebody else:").check();
  await page.getByLabel("Login").fill(person.login);
  await page.getByLabel("Email address").fill(person.email);
  await page.getByRole("button", { name: button }).click();
}

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a person comes with GitHub, leaves with Google and a password, and deletes the account`, async () => {
    const page = await browser.open({ javaScript });
    const person = newPerson();
    await page.goto(`${app.url}/en/sign-up?redirectTo=/en/account/security`);
    await page.getByRole("button", { name: "Continue with GitHub" }).click();
    await decide(page, person, "Allow");
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    await page.getByText("This is your only way to sign in.").waitFor();

    await page.getByLabel("New password").fill("passwordpassword");
    await page.getByRole("button", { name: "Set a password" }).click();
    await page.getByText("This password is too easy to guess.").waitFor();
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set a password" }).click();
    await page.getByText("Your password is set").waitFor();

    await page.getByRole("button", { name: "Link Google" }).click();
    await decide(page, person, "Allow");
    await page.getByText("The account is linked.").waitFor();
    await page.getByRole("button", { name: "Unlink GitHub" }).click();
    await page.getByText("The account is unlinked").waitFor();
    await page.getByRole("button", { name: "Link GitHub" }).waitFor();

    await signOut(page);
    await page.getByRole("link", { name: "Sign in" }).first().click();
    await page.getByRole("button", { name: "Continue with Google" }).click();
    await decide(page, person, "Allow");
    await expectSignedIn(page);

    await page.goto(`${app.url}/en/account/delete`);
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Delete your account for good" }).click();
    await page.getByText("Your account is deleted.").waitFor();
  });

  test(`${mode}: Deny leads back to the sign-in page, which says so`, async () => {
    const page = await browser.open({ javaScript, width: 390 });
    await page.goto(`${app.url}/en/sign-in`);
    await page.getByRole("button", { name: "Continue with Google" }).click();
    await decide(page, newPerson(), "Deny");
    await page.getByText("You didn’t allow the sign-in at Google").waitFor();
    expect(new URL(page.url()).pathname).toBe("/en/sign-in");
  });

  test(`${mode}: a person without a password confirms with GitHub before the account is deleted`, async () => {
    const page = await browser.open({ javaScript });
    const person = newPerson();
    await page.goto(`${app.url}/en/sign-in`);
    await page.getByRole("button", { name: "Continue with GitHub" }).click();
    await decide(page, person, "Allow");
    await expectSignedIn(page);
    await app.sql(
      `UPDATE sessions s SET reauthenticated_at = now() - interval '11 minutes'
       FROM users u WHERE u.id = s.user_id AND u.email = $1`,
      [person.email],
    );
    await page.goto(`${app.url}/en/account/delete`);
    await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
    await page.getByRole("button", { name: "Confirm with GitHub" }).click();
    await decide(page, person, "Allow");
    await page.getByRole("button", { name: "Delete your account for good" }).click();
    await page.getByText("Your account is deleted.").waitFor();
  });
}
