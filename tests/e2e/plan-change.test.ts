import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { Plan } from "~/catalog";
import { credits, HAS_TWO_PLANS, nameOf, PLAN, shown, TOP_PLAN } from "../fixtures/sold";
import { enter, withBrowser } from "../helpers/browser";
import { expectSoundLedger, ledgerOf } from "../helpers/ledger";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer("stripe");
const browser = withBrowser();

// Deliveries aren't held back here: the provider delivers while the buyer is on the way back.
beforeAll(() =>
  app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` }),
);

/** Texts of pages about a plan. */
const wordsOf = (plan: Plan) => ({
  name: nameOf(plan),
  month: shown(plan.amounts.month),
  year: shown(plan.amounts.year),
  credits: credits(plan.creditsPerMonth),
});
const [SMALL, LARGE] = [wordsOf(PLAN), wordsOf(TOP_PLAN)];
/** The large plan costs so much more a month, brings so many more credits, and costs this by the year at once. */
const DEARER = TOP_PLAN.amounts.month - PLAN.amounts.month;
const MORE = TOP_PLAN.creditsPerMonth - PLAN.creditsPerMonth;
const YEAR_LESS_MONTH = TOP_PLAN.amounts.year - PLAN.amounts.month;

/** A pattern for a text in which currency signs and full stops of amounts stand for themselves. */
const textLike = (pattern: string) =>
  new RegExp(
    pattern.replaceAll("$", (sign, at: number) => (at === pattern.length - 1 ? sign : "\\$")),
  );
const offer = ({ name, month, year }: typeof SMALL, period: "monthly" | "yearly") =>
  textLike(`^${name}, ${period} .*${period === "monthly" ? `${month} a month` : `${year} a year`}`);

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const option = (page: Page, name: RegExp) => page.getByRole("radio", { name });

/** Chooses a plan, and asks what it would cost. */
async function choose(page: Page, name: RegExp): Promise<void> {
  await option(page, name).check();
  await page.getByRole("button", { name: "Show what it costs" }).click();
}

/** Enters and subscribes to the first plan by the month. Returns the email address. */
async function subscribe(page: Page, url = app.url): Promise<string> {
  const { email } = await enter(page, url);
  await page.goto(`${url}/en/pricing`);
  await page.getByRole("button", { name: `Choose the ${SMALL.name}`, exact: true }).click();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page
    .getByRole("heading", { name: `+${credits(PLAN.creditsPerMonth)} are yours` })
    .waitFor();
  return email;
}

async function openChange(page: Page, url = app.url): Promise<void> {
  await page.goto(`${url}/en/account/billing`);
  await page.getByRole("link", { name: "Change plan" }).click();
  await heading(page, "Change your plan").waitFor();
}

/** The plan that the billing page shows, once the provider's events have arrived. */
const expectPlan = (page: Page, name: string) =>
  expect
    .poll(async () => {
      await page.reload();
      return page.getByRole("heading", { name, level: 2 }).count();
    })
    .toBe(1);

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test.runIf(HAS_TWO_PLANS)(
    `${mode}: a subscriber upgrades, sees the difference arrive, plans a downgrade, undoes it and cancels`,
    async () => {
      const page = await browser.open({ javaScript });
      const email = await subscribe(page);
      await openChange(page);
      await page
        .getByText(
          textLike(
            `^Your ${SMALL.name} renews on .* for ${SMALL.month} a month\\. Nothing changes`,
          ),
        )
        .waitFor();
      await page.getByText("Your plan now").waitFor();

      await choose(page, offer(LARGE, "monthly"));
      await page.getByRole("heading", { name: "Due today" }).waitFor();
      await page.getByText(shown(DEARER), { exact: true }).waitFor();
      await page.getByText(`−${SMALL.month}`).waitFor();
      await page
        .getByText(`You get ${MORE.toLocaleString("en")} more credits for the rest of this month.`)
        .waitFor();
      await page
        .getByText(`renews for ${LARGE.month} a month, and ${LARGE.credits} come`)
        .waitFor();
      await page.getByRole("button", { name: `Pay ${shown(DEARER)} and switch` }).click();
      await heading(page, `+${credits(MORE)} are yours`).waitFor();
      await page
        .getByText(textLike(`^Your ${LARGE.name} renews on .* for ${LARGE.month} a month`))
        .waitFor();
      await expect
        .poll(() => ledgerOf(app, email))
        .toEqual([
          ["grant", PLAN.creditsPerMonth],
          ["grant", MORE],
        ]);
      await page.goto(`${app.url}/en/account/credits`);
      await page.getByRole("heading", { name: LARGE.credits }).waitFor();
      await page.goto(`${app.url}/en/account/billing`);
      await expectPlan(page, LARGE.name);

      await page.getByRole("link", { name: "Change plan" }).click();
      await choose(page, offer(SMALL, "monthly"));
      await page.getByText(shown(0), { exact: true }).waitFor();
      await page.getByText(`You keep the ${LARGE.name} and its credits until then.`).waitFor();
      await page.getByRole("button", { name: /^Switch on/ }).click();
      await page.getByText("Your change is planned. Nothing was charged.").waitFor();
      const switches = `^Your ${LARGE.name} runs until .* Then you switch to the ${SMALL.name} for ${SMALL.month} a month\\.`;
      await page.getByText(textLike(switches)).first().waitFor();
      await page.getByText(textLike(`${switches} ${SMALL.credits} come`)).waitFor();

      await page.getByRole("link", { name: "Change plan" }).click();
      await page.getByRole("heading", { name: "A change is planned" }).waitFor();
      await page.getByRole("button", { name: "Undo the change" }).click();
      await page.getByText("The planned change is undone.").waitFor();
      expect(await page.getByText(textLike(`switch to the ${SMALL.name}`)).count()).toBe(0);
      await page
        .getByText(
          textLike(
            `^Your ${LARGE.name} renews on .* for ${LARGE.month} a month\\. ${LARGE.credits} come`,
          ),
        )
        .waitFor();

      await page.getByRole("link", { name: "Cancel plan" }).click();
      await page.getByRole("button", { name: /^Cancel plan on/ }).click();
      await page.getByText("Your plan is cancelled.").waitFor();
      expect(await page.getByRole("link", { name: "Change plan" }).count()).toBe(0);
      await expectSoundLedger(app);
    },
  );

  test.runIf(HAS_TWO_PLANS)(
    `${mode}: after a declined card nothing has changed, until the open payment is made`,
    async () => {
      const page = await browser.open({ javaScript });
      const email = await subscribe(page);
      const [row] = await app.sql<{ id: string }>(
        `SELECT provider_customer_id AS id FROM subscriptions
       JOIN users ON users.id = user_id WHERE email = $1`,
        [email],
      );
      await app.control("stripe", "PUT", `/customers/${row?.id}/card`, { declines: true });
      await openChange(page);
      await choose(page, offer(LARGE, "yearly"));
      await page.getByRole("button", { name: `Pay ${shown(YEAR_LESS_MONTH)} and switch` }).click();
      await page.getByRole("heading", { name: "Your payment is open" }).waitFor();
      await page
        .getByText(textLike(`^Your ${SMALL.name} renews on .* for ${SMALL.month} a month`))
        .waitFor();
      expect(await ledgerOf(app, email)).toEqual([["grant", PLAN.creditsPerMonth]]);

      await page.getByRole("link", { name: "Pay at Stripe" }).click();
      await page.getByText(shown(YEAR_LESS_MONTH)).waitFor();
      await page.getByRole("button", { name: "Pay the invoice" }).click();
      await page.getByText("This invoice is paid.").waitFor();
      await page.goto(`${app.url}/en/account/billing`);
      await expectPlan(page, LARGE.name);
      await page.getByText(`${LARGE.year} a year`, { exact: true }).waitFor();
      await expect
        .poll(() => ledgerOf(app, email))
        .toEqual([
          ["grant", PLAN.creditsPerMonth],
          ["grant", MORE],
        ]);
    },
  );

  test.runIf(HAS_TWO_PLANS)(
    `${mode}: on a payment that went back no plan is offered, and the page says why`,
    async () => {
      const page = await browser.open({ javaScript });
      const email = await subscribe(page);
      const setReturned = (amount: number) =>
        app.sql(
          `UPDATE subscription_periods SET amount_returned = $2 WHERE subscription_id IN (
           SELECT s.id FROM subscriptions s JOIN users u ON u.id = user_id WHERE email = $1)`,
          [email, amount],
        );
      await openChange(page);
      await choose(page, offer(LARGE, "monthly"));
      const pay = page.getByRole("button", { name: `Pay ${shown(DEARER)} and switch` });
      await pay.waitFor();
      await setReturned(Math.floor(PLAN.amounts.month / 2));
      await pay.click();
      await page.getByText("You can’t change your plan right now").waitFor();
      await page.getByText("The payment for your current period was refunded").waitFor();
      expect(await option(page, textLike(`^${LARGE.name}`)).count()).toBe(0);
      expect(await ledgerOf(app, email)).toEqual([["grant", PLAN.creditsPerMonth]]);
      await setReturned(0);
      await openChange(page);
      await option(page, textLike(`^${LARGE.name}, monthly`)).waitFor();
    },
  );
}

test.runIf(HAS_TWO_PLANS)(
  "at Creem an upgrade is made at once from an estimate, and a downgrade is not promised",
  async () => {
    const shop = await app.startAnother({ PAYMENTS_PROVIDER: "creem" });
    onTestFinished(() => shop.stop());
    await app.control("creem", "PUT", "/endpoint", { url: `${shop.url}/api/payments/webhook` });
    const page = await browser.open({ javaScript: false });
    const email = await subscribe(page, shop.url);
    await openChange(page, shop.url);
    await choose(page, offer(LARGE, "monthly"));
    await page.getByText(`About ${shown(DEARER)}`).waitFor();
    await page.getByRole("button", { name: "Pay and switch" }).click();
    await page
      .getByRole("heading", { name: `We’re switching you to the ${LARGE.name}` })
      .or(page.getByRole("heading", { name: `+${credits(MORE)} are yours` }))
      .waitFor();
    await page.goto(`${shop.url}/en/account/billing`);
    await expectPlan(page, LARGE.name);
    const cron = { headers: { Authorization: `Bearer ${app.env.CRON_SECRET}` } };
    // The delivery of the payment may arrive after that of the new plan.
    await expect
      .poll(async () => {
        await fetch(`${shop.url}/api/cron/maintenance`, cron);
        return ledgerOf(app, email);
      })
      .toEqual([
        ["grant", PLAN.creditsPerMonth],
        ["grant", MORE],
      ]);

    await openChange(page, shop.url);
    await choose(page, offer(SMALL, "monthly"));
    await page.getByText("Creem can’t plan a change for later.").waitFor();
    expect(await page.getByRole("button", { name: /Switch|switch/ }).count()).toBe(0);
    await page.getByRole("main").getByRole("link", { name: "Cancel your plan" }).last().click();
    await heading(page, `Cancel your ${LARGE.name}?`).waitFor();
  },
);
