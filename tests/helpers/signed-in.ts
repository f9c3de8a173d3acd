import type { Page } from "playwright-core";

const ACCOUNT_MENU = "Account menu";

/** Resolves once the page shows that somebody is signed in, by their balance in the header. */
export async function expectSignedIn(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("link", { name: "Open your credits" }).waitFor();
}

/** Signs out by the menu in the header, as on a wide screen. */
export async function signOut(page: Page): Promise<void> {
  await page.getByLabel(ACCOUNT_MENU).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}
