import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PASSWORD } from "../helpers/client";
import { codeOf, makeStale, passStep } from "../helpers/factors";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { expectSignedIn, signOut } from "../helpers/signed-in";
import { withTestServer } from "../helpers/with-test-server";

const app = withTestServer();
const browser = withBrowser();

async function enterAccount(page: Page): Promise<string> {
  const { email } = await enter(page, app.url);
  await page.goto(`${app.url}/en/account`);
  return email;
}

async function leave(page: Page): Promise<void> {
  await signOut(page);
  await page.getByText("You’re signed out.").waitFor();
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto(`${app.url}/en/sign-in`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  // After a sign-in by password its button is marked as the way used last.
  await page.getByRole("button", { name: /^Sign in\s*(Last used)?$/ }).click();
}

/** Gives the browser an authenticator whose person always agrees. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: an app is set up, asked for at sign-in and before changes, and turned off`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAccount(page);
    await page.goto(`${app.url}/en/account/security`);
    await page.getByRole("link", { name: "Set up an authenticator app" }).click();
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    await page.getByRole("img", { name: "QR code" }).waitFor();
    await expectNarrow(page);
    const key = (await page.locator("code").innerText()).replaceAll(" ", "");
    await page.getByLabel("Code from the app").fill("000000");
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByRole("alert").getByText("This code is wrong").waitFor();
    const usedCode = codeOf(key);
    await page.getByLabel("Code from the app").fill(usedCode);
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    await expectNarrow(page);
    const [recoveryCode = ""] = (await page.locator("pre").innerText()).split("\n");
    await page.reload();
    expect(await page.locator("pre").count()).toBe(0);

    await leave(page);
    await givePassword(page, email);
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
    await page.getByLabel("Code", { exact: true }).fill(usedCode);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page
      .getByRole("alert")
      .getByText("This code is wrong, or you’ve used it before.")
      .waitFor();
    await passStep(app, email);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(key));
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectSignedIn(page);

    await leave(page);
    await givePassword(page, email);
    await page.getByLabel("Code", { exact: true }).fill(recoveryCode);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectSignedIn(page);

    await makeStale(app, email);
    await passStep(app, email);
    await page.goto(`${app.url}/en/account/security`);
    await page.getByText("You have 9 recovery codes left.").waitFor();
    await page.getByRole("link", { name: "Manage your app" }).click();
    await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("Code").fill(codeOf(key));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: "Turn the authenticator app off" }).click();
    await page.getByText("The authenticator app is off.").waitFor();
    await leave(page);
    await givePassword(page, email);
    await expectSignedIn(page);
  });
}

test("without JavaScript the pages offer no passkey button, and say what passkeys need", async () => {
  const page = await browser.open({ javaScript: false });
  await page.goto(`${app.url}/en/sign-in`);
  expect(await page.getByRole("button", { name: "Use a passkey" }).isVisible()).toBe(false);
  await enterAccount(page);
  await page.goto(`${app.url}/en/account/security/passkeys`);
  await page.getByText("Passkeys need JavaScript and an up-to-date browser.").waitFor();
  expect(await page.getByRole("button", { name: "Add a passkey" }).isVisible()).toBe(false);
});

test("a passkey is added, renamed, signs in by the button, confirms, and is removed", async () => {
  const page = await browser.open({ javaScript: true });
  await addAuthenticator(page);
  const email = await enterAccount(page);
  await page.goto(`${app.url}/en/account/security`);
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey is added.").waitFor();
  await page.getByRole("heading", { name: "Chrome, Linux" }).waitFor();
  expect(await page.getByText("Passkeys need JavaScript").isVisible()).toBe(false);

  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("This device already has a passkey for your account.").waitFor();
  await page.getByLabel("Name").fill("Work laptop");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "Work laptop" }).waitFor();

  // Autofill would answer before the button can be pressed: this device's person agrees at once.
  await page.addInitScript(
    "PublicKeyCredential.isConditionalMediationAvailable = async () => false",
  );
  await signOut(page);
  await page.goto(`${app.url}/en/sign-in?redirectTo=/en/files`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(`${app.url}/en/files`);

  await makeStale(app, email);
  await page.goto(`${app.url}/en/account/security/passkeys`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { level: 1, name: "Passkeys" }).waitFor();
  await page.getByRole("button", { name: "Remove the passkey: Work laptop" }).click();
  await page.getByText("The passkey is removed").waitFor();
});

test("the browser offers the passkey where the email address is typed", async () => {
  const page = await browser.open({ javaScript: true });
  await addAuthenticator(page);
  await enterAccount(page);
  await page.goto(`${app.url}/en/account/security/passkeys`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey is added.").waitFor();
  await leave(page);
  // The authenticator's person agrees at once.
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await expectSignedIn(page);
});

test("a device that can't check its person gives no passkey, and the page says so", async () => {
  const page = await browser.open({ javaScript: true });
  const device = await addAuthenticator(page);
  await device.verify(false);
  await enterAccount(page);
  await page.goto(`${app.url}/en/account/security/passkeys`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("alert").getByText("You didn’t use a passkey").waitFor();
});
