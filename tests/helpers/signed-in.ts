import type { Page } from "playwright-core";

const ACCOUNT_MENU = "Account menu";

/** Resolves once the page has the menu of somebody signed in, which narrow screens fold away. */
export async function expectSignedIn(page: Page): Promise<void> {
  await page.getByLabel(ACCOUNT_MENU).waitFor({ state: "attached" });
}

/** Signs out by the menu in the header, as on a wide screen. */
export async function signOut(page: Page): Promise<void> {
  await page.getByLabel(ACCOUNT_MENU).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}
