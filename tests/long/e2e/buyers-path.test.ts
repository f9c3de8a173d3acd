import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { CREDITS_PER_IMAGE, PLANS } from "~/catalog";
import { credits, HAS_TWO_PLANS, LAST_PACK, nameOf } from "../../fixtures/sold";
import { withBrowser } from "../../helpers/browser";
import { PASSWORD } from "../../helpers/client";
import { makeLinkToken } from "../../helpers/make-link";
import { withPaymentServer } from "../../helpers/with-payment-server";

const HERE = "buyers-path";

/**
 * Twenty faults that a buyer's walk through the site found, and the tests that show each of them gone: a file
 * of this folder, and a part of the test's name. A part that has no browser test says why.
 * At commit dfa69e2, where they were found, a test of each fault was run and failed.
 */
const FAULTS: { fault: string; tests: [file: string, name: string][]; notTaken?: string }[] = [
  {
    fault: "1: a cancelled plan with a planned change is active again, and mails twice",
    tests: [["kept-plans", "holds whatever comes late, and is mailed once"]],
  },
  {
    fault: "2: billing says three things at once about a cancelled plan",
    tests: [["kept-plans", "cancelling a plan with a planned change says so"]],
  },
  {
    fault: "3: a cancelled plan can't be taken back",
    tests: [["kept-plans", "a cancelled plan is kept from billing, from the overview and from"]],
  },
  {
    fault: "4: who presses Buy is sent to sign in, and the choice is forgotten",
    tests: [
      ["nothing-forgotten", "a stranger who buys a plan creates an account and gets to the"],
      ["nothing-forgotten", "somebody whose browser signed in before buys a pack"],
    ],
  },
  {
    fault: "5: the prompt is lost at the paywall",
    tests: [
      ["nothing-forgotten", "a stranger's prompt is there after the sign-up, after the payment"],
      ["nothing-forgotten", "a prompt that was only typed is kept by Buy credits"],
      ["nothing-forgotten", "a prompt sent after the session ended is there"],
    ],
  },
  {
    fault: "6: every way in ends on the start page",
    tests: [[HERE, "who comes in without an aim lands where they can go on"]],
  },
  {
    fault: "7: generated images are public at once, without a word or a choice",
    tests: [
      ["own-images", "an image that is public can be made private, and public again"],
      ["own-images", "all images can be made private, and new ones from the start"],
    ],
  },
  {
    fault: "8: nobody can be reached",
    tests: [
      ["reachable", "the footer of each page leads to somebody who can help"],
      ["reachable", "a mail with the request's number"],
    ],
  },
  {
    fault: "9: the page after a plan's checkout shows no plan and no price",
    tests: [["kept-plans", "the page after a plan's checkout names the plan, its price"]],
  },
  {
    fault: "10: old results state old balances as present",
    tests: [["generator-results", "an old result states no present balance"]],
  },
  {
    fault: "11: after a switch the page shows the old plan and never updates",
    tests: [["kept-plans", "after a switch the page waits for the payment by itself"]],
  },
  {
    fault: "12: an unverified buyer learns last that the card is out of reach",
    tests: [
      ["verification", "after the sign-up the account says where the link went"],
      ["verification", "the password leads on to the page at Stripe that was asked for"],
      ["verification", "at Stripe, buyers whose address isn't verified get to their card"],
    ],
  },
  {
    fault: "13: generated files all have one name, and deleting one leaves Create",
    tests: [["own-images", "a generated file is named from its prompt, and deleting it stays in"]],
  },
  {
    fault: "14: three of four images are said to be ready, and the refund stands far below",
    tests: [["generator-results", "what failed is in the heading, with its credits"]],
  },
  {
    fault: "15: nothing is said before a click that the credits don't cover",
    tests: [
      ["generator-cost", "credits that are missing are said before the click"],
      ["generator-cost", "without credits, buying is the only primary action"],
    ],
  },
  {
    fault: "16: using a prompt again throws the results away",
    tests: [
      ["generator-results", "its prompt can be used again beside it"],
      ["generator-results", "an earlier prompt fills the form with its settings, and the images"],
    ],
  },
  {
    fault: "17: a file that can never pass is offered again",
    tests: [
      ["files", "a file that can never pass is not offered again, and its size is said"],
      ["files", "without JavaScript a file that can never pass leaves the choice of another"],
    ],
  },
  {
    fault: "18: plan cards are all alike, tick a drawback, and say nothing of tax and terms",
    tests: [
      [HERE, "plans differ on their cards, which tick no drawback and name the terms"],
      ["receipts", "prices say that nothing is added only where no tax is"],
      ["receipts", "whoever creates an account sees what they accept"],
    ],
  },
  {
    fault: "19: passwords can't be seen, their rule comes after the click, refusals empty fields",
    tests: [
      ["passwords", "a password can be shown and hidden, and is hidden when it is sent"],
      ["passwords", "the rule for a new password stands there and is checked before the click"],
      ["passwords", "beyond the limit the page says in minutes when to try again"],
      ["verification", "says where the link went, the same for an address with and without"],
    ],
  },
  {
    fault: "20: several, of which these are on the buyer's way",
    tests: [
      ["plan-change", "plans a downgrade, undoes it and cancels"],
      ["reachable", "an unexpected error keeps the header, offers another try"],
      ["receipts", "names seller, buyer and tax, and prints without the rest"],
      ["nothing-forgotten", "a stranger's prompt is there after the sign-up"],
      ["generator-results", "a request that another service took over says so"],
    ],
    notTaken:
      "The minus sign is a text of the catalog's amounts, which unit tests format. The pictures of the README are made by a command that no page shows.",
  },
];

test("each of the twenty faults has its tests, and each of them is there", async () => {
  expect(FAULTS.map(({ fault }) => Number.parseInt(fault, 10))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  for (const { fault, tests } of FAULTS) {
    expect(tests, fault).not.toEqual([]);
    for (const [file, name] of tests) {
      const places = globSync(`tests/{e2e,long/e2e}/${file}.test.ts`);
      expect(places, file).toHaveLength(1);
      const source = await readFile(places[0] ?? "", "utf8");
      const titles = source.matchAll(/(?:test|runIf\([^)]*\))\(\s*(["`])(.*?)\1,/gs);
      const found = [...titles].filter(([, , title = ""]) => title.includes(name));
      expect(found, `${fault}: ${file}: ${name}`).toHaveLength(1);
    }
  }
});

const app = withPaymentServer("stripe", { NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });
const browser = withBrowser();

beforeAll(() =>
  app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` }),
);

const CREATE = "/en/demo/image-generator";
const pathOf = (page: Page) => new URL(page.url()).pathname;

async function signIn(page: Page, email: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${app.url}/en/sign-in`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Account menu").waitFor();
}

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: who comes in without an aim lands where they can go on: at the overview, and with credits at Create`, async () => {
    const page = await browser.open({ javaScript });
    const email = `arrives-${javaScript}@example.com`;
    await page.goto(`${app.url}/en/sign-up`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByLabel("Account menu").waitFor();
    expect(pathOf(page)).toBe("/en/account");
    await signIn(page, email);
    expect(pathOf(page)).toBe("/en/account");

    expect(LAST_PACK.credits).toBeGreaterThanOrEqual(CREDITS_PER_IMAGE);
    await page.goto(`${app.url}/en/pricing`);
    await page.getByRole("button", { name: `Buy ${credits(LAST_PACK.credits)}` }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByRole("heading", { name: `+${credits(LAST_PACK.credits)} are yours` }).waitFor();
    await signIn(page, email);
    expect(pathOf(page)).toBe(CREATE);

    const token = await makeLinkToken(app, email, "sign_in_link");
    await page.context().clearCookies();
    await page.goto(`${app.url}/en/sign-in-link?token=${token}`);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Account menu").waitFor();
    expect(pathOf(page)).toBe(CREATE);
  });

  test(`${mode}: plans differ on their cards, which tick no drawback and name the terms`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/pricing`);
    const main = page.getByRole("main");
    const cards = PLANS.map((plan) =>
      main
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: nameOf(plan), exact: true }) })
        .first(),
    );
    const ticks = await Promise.all(
      cards.map((card) => card.locator(".ticks").allInnerTexts().then(String)),
    );
    if (HAS_TWO_PLANS) expect(new Set(ticks).size).toBe(PLANS.length);
    for (const [index, card] of cards.entries()) {
      await card.getByText("Unused plan credits end each month").waitFor();
      expect(ticks[index]).not.toMatch(/end each month|until the next/);
    }
    for (const [name, to] of [
      ["terms", "/en/terms"],
      ["refunds", "/en/refunds"],
    ] as const)
      expect(await main.getByRole("link", { name, exact: true }).first().getAttribute("href")).toBe(
        to,
      );
    await main.getByText(/Prices are in/).waitFor();

    await page.goto(`${app.url}/en/checkout/cancelled`);
    await main.getByText("you weren’t charged").waitFor();
    expect(await main.locator('use[href$="#check"], use[href$="#receipt"]').count()).toBe(0);
  });
}
