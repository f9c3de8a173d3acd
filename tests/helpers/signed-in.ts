import type { Page } from "playwright-core";

const ACCOUNT_MENU = "Account menu";

/** Resolves once the page shows, on a wide screen, that somebody is signed in. */
export async function expectSignedIn(page: Page): Promise<void> {
  await page.getByLabel(ACCOUNT_MENU).waitFor();
}

/** Signs out by the menu in the header, as on a wide screen. */
export async function signOut(page: Page): Promise<void> {
  await page.getByLabel(ACCOUNT_MENU).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}
