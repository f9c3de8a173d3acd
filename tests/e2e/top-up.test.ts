import { beforeAll, expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import { connectDb } from "~/db.server";
import { credits, PACK, shown } from "../fixtures/sold";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { makeStale } from "../helpers/factors";
import { chargeImages } from "../helpers/image-runs";
import { giveCredits } from "../helpers/ledger";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { TEST_AUTH_SECRET } from "../helpers/test-server";
import { withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer();
const browser = withBrowser();
const COST = creditsFor("image", 1);

beforeAll(async () => {
  // The spends of this process read it.
  Object.assign(process.env, {
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    NEXT_PUBLIC_SITE_URL: app.url,
  });
  await app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` });
});

/** One run of the person's, whatever makes it. */
async function spend(email: string): Promise<void> {
  const db = connectDb(app.databaseUrl, 1);
  try {
    const { id } = await db.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
    await chargeImages(db, id, { prompt: "a lake", n: 1, size: "square" });
  } finally {
    await db.$disconnect();
  }
}

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: automatic top-up is set up, buys a pack, and is turned off`, async () => {
    const page = await browser.open({ javaScript });
    const { email } = await enter(page, app.url);
    await giveCredits(app, email, 2 * COST);
    await page.goto(`${app.url}/en/account/billing`);
    await page.getByRole("link", { name: "Set up automatic top-up" }).click();
    const mark = page.getByLabel("Buy when I have fewer credits than");
    await mark.fill(String(PACK.credits));
    await page.getByLabel("Most money per calendar month").fill("1");
    await page.getByRole("button", { name: "Go on to Stripe and add a card" }).click();
    await page.getByText("up to one less than the pack brings").waitFor();
    await page.getByText("Enter an amount of at least the pack’s price").waitFor();
    await mark.fill(String(2 * COST));
    await page.getByLabel("Most money per calendar month").fill("500");
    await makeStale(app, email);
    await page.getByRole("button", { name: "Go on to Stripe and add a card" }).click();
    await page.getByText("Confirm it’s you, and you go on with automatic top-up.").waitFor();
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: /Keep a card that works/ }).click();
    const state = page.getByRole("region", { name: "Automatic top-up" });
    await state.getByText("Visa ending in 4242, kept by Stripe.").waitFor();
    const words = await state.innerText();
    expect(words).toContain(
      `Below ${credits(2 * COST)} we buy ${credits(PACK.credits)} for ${shown(PACK.amount)}, and spend at most ${shown(50_000)} a month.`,
    );
    await expectNarrow(page);

    await spend(email);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByRole("main").innerText();
      })
      .toContain("Paid");
    expect(await state.innerText()).toContain(
      `Spent this month: ${shown(PACK.amount)} of ${shown(50_000)}.`,
    );
    await page.getByRole("button", { name: "Turn off and remove the card" }).click();
    await page.getByText("Automatic top-up is off, and your card is being removed.").waitFor();
    expect(await state.innerText()).not.toContain("4242");
    await page.goto(`${app.url}/en/account/billing`);
    await page.getByRole("link", { name: "Manage automatic top-up" }).waitFor();
  });
}
