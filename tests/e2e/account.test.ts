import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OTHER_LOCALE, translatorOf } from "../fixtures/languages";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { expectSignedIn, signOut } from "../helpers/signed-in";
import { withMailServer } from "../helpers/with-mail-server";

const app = withMailServer({ SIGNUP_CREDITS: "25" });
const browser = withBrowser();
const PASSWORD = "correct horse battery";

async function enterAccount(page: Page): Promise<string> {
  const { email } = await enter(page, app.url);
  await page.goto(`${app.url}/en/account`);
  return email;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const openAccount = async (page: Page, name: string) => {
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("navigation", { name: "Account pages" }).getByText(name).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a forgotten password is replaced by the mailed link`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAccount(page);
    await signOut(page);
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();

    const link = app.url + (await app.linkTo(email, 1, "reset-password"));
    await page.goto(link);
    await expectNarrow(page);
    await page.getByLabel("New password").fill("passwordpassword");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("This password is too easy to guess.").waitFor();
    await page.getByLabel("New password").fill("another good password");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Your new password is set").waitFor();
    await signIn(page, email, "another good password");
    await expectSignedIn(page);

    await page.goto(link);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  });

  test(`${mode}: the profile is saved, in another language too, and the address verified`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAccount(page);
    await openAccount(page, "Profile");
    await page.getByText("Not verified").waitFor();
    await page.getByRole("button", { name: "Send the link again" }).click();
    await page.getByText("The link is on its way.").waitFor();
    await page.goto(app.url + (await app.linkTo(email, 2)));
    await page.getByText(`Is ${email} yours? Then confirm it.`).waitFor();
    await page.getByRole("button", { name: "Verify email address" }).click();
    await page.getByRole("heading", { name: "Your email address is verified" }).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "25 credits" }).waitFor();

    await openAccount(page, "Profile");
    await page.getByText("Verified", { exact: true }).waitFor();
    await page.getByLabel("Name").fill("Ana\u202ePérez");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Use letters, digits and punctuation only.").waitFor();
    await page.getByLabel("Name").fill("Ana Pérez");
    await page.getByRole("combobox", { name: "Language" }).selectOption(OTHER_LOCALE);
    const t = translatorOf(OTHER_LOCALE);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(t("profile.saved")).waitFor();
    expect(await page.getByLabel(t("profile.name")).inputValue()).toBe("Ana Pérez");
    expect(await page.locator("html").getAttribute("lang")).toBe(OTHER_LOCALE);
  });

  test(`${mode}: a link opened signed out, or by somebody else, leads over the sign-in to its button`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAccount(page);
    const link = app.url + (await app.linkTo(email, 1));
    await signOut(page);
    await page.getByRole("link", { name: "Create account" }).first().waitFor();
    const other = await enterAccount(page);

    await page.goto(link);
    await page.getByRole("heading", { name: "This link is for another account" }).waitFor();
    await page.getByText(`You’re signed in as ${other}`).waitFor();
    await expectNarrow(page);
    await page.getByRole("button", { name: "Sign out and continue" }).click();
    await page.getByRole("heading", { name: "Sign in to verify your email address" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await signIn(page, email, PASSWORD);
    await page.getByRole("button", { name: "Verify email address" }).click();
    await page.getByRole("heading", { name: "Your email address is verified" }).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "25 credits" }).waitFor();
  });

  test(`${mode}: the password is changed and other sessions are ended`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAccount(page);
    const other = await browser.open({ javaScript });
    await other.goto(`${app.url}/en/sign-in`);
    await signIn(other, email, PASSWORD);
    await expectSignedIn(other);

    await openAccount(page, "Security");
    await page.getByLabel("Your password").fill("wrong password");
    await page.getByRole("button", { name: "Sign out the chosen device" }).click();
    await page.getByText("Choose the device to sign out.").waitFor();
    await page.getByRole("radio", { name: /^Sign out: / }).check();
    await page.getByLabel("Your password").fill("wrong password");
    await page.getByRole("button", { name: "Sign out the chosen device" }).click();
    await page.getByRole("alert").getByText("That isn’t your current password.").waitFor();
    await page.getByRole("radio", { name: /^Sign out: / }).check();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign out the chosen device" }).click();
    await page.getByText("Done: the device is signed out.").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);
    await other.goto(`${app.url}/en/account`);
    await other.getByRole("heading", { name: "Welcome back" }).waitFor();

    await page.getByLabel("Current password").fill("wrong password");
    await page.getByLabel("New password").fill("another good password");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("alert").getByText("That isn’t your current password.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another good password");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password is changed").waitFor();
    expect(await page.getByLabel("Current password").inputValue()).toBe("");
  });

  test(`${mode}: the data is downloaded and the account deleted, after a warning`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAccount(page);
    await openAccount(page, "Your data");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download your data" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("account-data.json");
    await page.getByRole("link", { name: "Delete your account…" }).click();
    await page.getByText("This can’t be undone.").waitFor();
    await page.getByLabel("Your password").fill("wrong password");
    await page.getByRole("button", { name: "Delete your account for good" }).click();
    await page.getByRole("alert").getByText("That isn’t your current password.").waitFor();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Delete your account for good" }).click();
    await page.getByText("Your account is deleted.").waitFor();
    await signIn(page, email, PASSWORD);
    await page.getByText("The email address or the password is wrong.").waitFor();
  });
}
