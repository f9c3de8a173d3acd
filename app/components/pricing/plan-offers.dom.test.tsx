// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { HAS_TWO_PLANS, LAST_PACK, nameOf, PLAN, shown, TOP_PLAN } from "#tests/fixtures/sold";
import { renderInPage } from "#tests/helpers/component";
import { ACTIONS, PLANS } from "~/catalog";
import type { MemberPlan } from "~/components/pricing/member-plan";
import { PackOffers } from "~/components/pricing/pack-offers";
import { PlanOffers } from "~/components/pricing/plan-offers";
import { findBestValue, pricePerImage } from "~/components/pricing/price-facts";
import { LOCALES } from "~/i18n/locale";
import { listOffers } from "~/models/billing/checkouts/offers";

const { plans, packs } = listOffers(() => true);
const MONTHLY = plans.map((plan) => ({
  ...plan,
  prices: plan.prices.filter(({ period }) => period === "month"),
}));

const [SMALL_NAME, LARGE_NAME] = [nameOf(PLAN), nameOf(TOP_PLAN)];
const BEST_NAME = nameOf(PLANS.find(({ planKey }) => planKey === findBestValue(MONTHLY)) ?? PLAN);

const END = new Date("2026-12-05T00:00:00Z");
const MEMBER: MemberPlan = {
  id: "plan-1",
  provider: "stripe",
  planKey: PLAN.planKey,
  period: "month",
  amount: PLAN.amounts.month,
  status: "active",
  cancelAtPeriodEnd: false,
  periodEnd: END,
  endedAt: null,
  nextCredits: { status: "renewal", amount: PLAN.creditsPerMonth, at: END },
  planned: null,
  changeable: true,
  keepable: false,
  cancelable: true,
};
const TOP_MEMBER: MemberPlan = { ...MEMBER, planKey: TOP_PLAN.planKey };

function showPlans(member: MemberPlan | null, offers = MONTHLY) {
  renderInPage(
    <PlanOffers
      plans={offers}
      member={member}
      imageCost={IMAGE_COST}
      other={null}
      provider="stripe"
      packs={packs}
    />,
    {
      path: "/en/pricing",
    },
  );
}

const IMAGE_COST = 10;
const count = (value: number) => value.toLocaleString("en");

/** How many images these credits make, and what each costs. */
function imagesFor(sold: { credits: number; amount: number }): string {
  const images = Math.floor(sold.credits / IMAGE_COST);
  const { amount, isExact } = pricePerImage(sold, IMAGE_COST);
  return `${count(images)} images, ${isExact ? "" : "about "}${shown(amount)} each`;
}

/** The card with this heading. */
const cardOf = (name: string) =>
  within(screen.getByRole("heading", { name }).closest("li") as HTMLElement);

test("a plan says its price, its credits and what they make", () => {
  showPlans(null);
  const card = cardOf(SMALL_NAME);
  const price = shown(PLAN.amounts.month, { short: true });
  expect(card.getByText(price)).toHaveTextContent(`${price} a month`);
  expect(card.getByText(`${count(PLAN.creditsPerMonth)} credits every month`)).toBeVisible();
  expect(
    card.getByText(imagesFor({ credits: PLAN.creditsPerMonth, amount: PLAN.amounts.month })),
  ).toBeVisible();
});

test.runIf(HAS_TWO_PLANS)("the plan with the cheapest credits is recommended, and no other", () => {
  showPlans(null);
  expect(screen.getAllByText("Best value")).toHaveLength(1);
  expect(cardOf(BEST_NAME).getByText("Best value")).toBeVisible();
});

test("a visitor's button buys the plan and period that it names", () => {
  showPlans(null, plans);
  const year = cardOf(LARGE_NAME).getByRole("button", { name: `Choose the ${LARGE_NAME}, yearly` });
  expect(year).toHaveValue("plan");
  expect(year.closest("form")).toHaveFormValues({ planKey: TOP_PLAN.planKey, period: "year" });
  const month = cardOf(LARGE_NAME).getByRole("button", { name: `Choose the ${LARGE_NAME}` });
  expect(month.closest("form")).toHaveFormValues({ planKey: TOP_PLAN.planKey, period: "month" });
});

test.runIf(HAS_TWO_PLANS)(
  "a member's plan is marked and leads to billing, and the larger one is an upgrade",
  () => {
    showPlans(MEMBER);
    const own = cardOf(SMALL_NAME);
    expect(own.getByText("Your plan")).toBeVisible();
    expect(own.getByRole("link", { name: "Manage your plan" })).toHaveAttribute(
      "href",
      "/en/account/billing",
    );
    expect(own.getByText(new RegExp(`Next ${count(PLAN.creditsPerMonth)} credits:`))).toBeVisible();
    const larger = cardOf(LARGE_NAME);
    expect(larger.queryByText("Your plan")).toBeNull();
    expect(larger.getByRole("link", { name: `Upgrade to the ${LARGE_NAME}` })).toHaveAttribute(
      "href",
      `/en/account/billing/change?plan=${TOP_PLAN.planKey}&period=month`,
    );
    expect(larger.getByText("You pay only the difference for the days left.")).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  },
);

test.runIf(HAS_TWO_PLANS)(
  "a member of the best plan isn't told to get it, and the smaller one comes at renewal",
  () => {
    showPlans(TOP_MEMBER);
    expect(screen.queryByText("Best value")).toBeNull();
    const smaller = cardOf(SMALL_NAME);
    expect(
      smaller.getByRole("link", { name: `Switch to the ${SMALL_NAME} at renewal` }),
    ).toBeVisible();
    expect(smaller.getByText("Starts when the time you paid for is over.")).toBeVisible();
  },
);

test("the same plan by the year is a switch, and its card is marked for the own period only", () => {
  showPlans(MEMBER, plans);
  const own = cardOf(SMALL_NAME);
  expect(own.getAllByText("Your plan")).toHaveLength(1);
  expect(own.getByText("Your plan").parentElement).toHaveClass("by-month");
  expect(own.getByRole("link", { name: "Switch to yearly" })).toHaveAttribute(
    "href",
    `/en/account/billing/change?plan=${PLAN.planKey}&period=year`,
  );
});

test("without plans there is no empty list", () => {
  showPlans(null, []);
  expect(screen.queryByRole("list")).toBeNull();
});

test("each pack has a name, a price and a button that buys it alone", () => {
  renderInPage(
    <PackOffers
      packs={packs}
      hasPlans
      imageCost={IMAGE_COST}
      other={null}
      provider="stripe"
      isSignedIn={false}
    />,
  );
  const list = screen.getByRole("region", { name: "Credit packs" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(packs.length);
  const name = `${count(LAST_PACK.credits)} credits`;
  const card = cardOf(name);
  expect(card.getByText(shown(LAST_PACK.amount, { short: true }))).toBeVisible();
  expect(card.getByText(imagesFor(LAST_PACK))).toBeVisible();
  const buy = card.getByRole("button", { name: `Buy ${name}` });
  expect(buy).toHaveValue("pack");
  expect(buy.closest("form")).toHaveFormValues({ skuKey: LAST_PACK.skuKey });
  expect(within(list).getByText(/you create an account or sign in first/)).toBeVisible();
});

test("while image generation is off, a pack and a plan say what they buy of the other action", () => {
  const action = "image";
  const shop = { packs, other: action, imageCost: null } as const;
  renderInPage(
    <>
      <PackOffers {...shop} hasPlans={false} provider="creem" isSignedIn />
      <PlanOffers {...shop} plans={MONTHLY} member={null} provider="creem" />
    </>,
  );
  const { credits, per } = ACTIONS[action].price;
  const bought = (amount: number) => (Math.floor(amount / credits) * per).toLocaleString("en");
  for (const pack of packs)
    expect(screen.getAllByText(new RegExp(`^${bought(pack.credits)} `))[0]).toBeVisible();
  for (const plan of MONTHLY)
    expect(screen.getAllByText(new RegExp(`^${bought(plan.creditsPerMonth)} `))[0]).toBeVisible();
});

test("without any action, a pack speaks of credits alone", () => {
  renderInPage(
    <PackOffers
      packs={packs}
      hasPlans={false}
      imageCost={null}
      other={null}
      provider="creem"
      isSignedIn
    />,
  );
  expect(screen.queryByText(/image/)).toBeNull();
  expect(screen.getByText(/hosted by Creem/)).toBeVisible();
  expect(screen.queryByText(/sign in first/)).toBeNull();
});

test.each(LOCALES)("the plans are said in the page's language: %s", (locale) => {
  renderInPage(
    <PlanOffers
      plans={MONTHLY}
      member={null}
      imageCost={IMAGE_COST}
      other={null}
      provider="stripe"
      packs={packs}
    />,
    {
      locale,
    },
  );
  expect(screen.getByRole("heading", { name: new RegExp(nameOf(TOP_PLAN, locale)) })).toBeVisible();
});
