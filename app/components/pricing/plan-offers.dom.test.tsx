// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInPage } from "#tests/helpers/component";
import type { MemberPlan } from "~/components/pricing/member-plan";
import { PackOffers } from "~/components/pricing/pack-offers";
import { PlanOffers } from "~/components/pricing/plan-offers";
import { listOffers } from "~/models/billing/checkouts/offers";

const { plans: allPlans, packs } = listOffers(() => true);
// A plan that is added to the catalog may be better value than these.
const plans = allPlans.filter(({ planKey }) => ["starter", "pro"].includes(planKey));
const MONTHLY = plans.map((plan) => ({
  ...plan,
  prices: plan.prices.filter(({ period }) => period === "month"),
}));

const STARTER: MemberPlan = {
  planKey: "starter",
  period: "month",
  next: { status: "renewal", amount: 300, at: new Date("2026-12-05T00:00:00Z") },
};
const PRO: MemberPlan = { ...STARTER, planKey: "pro" };

function showPlans(member: MemberPlan | null, offers = MONTHLY) {
  renderInPage(<PlanOffers plans={offers} member={member} imageCost={10} provider="stripe" />, {
    path: "/en/pricing",
  });
}

/** The card with this heading. */
const cardOf = (name: string) =>
  within(screen.getByRole("heading", { name }).closest("li") as HTMLElement);

test("a plan says its price, its credits and what they make", () => {
  showPlans(null);
  const starter = cardOf("Starter plan");
  expect(starter.getByText("$9")).toHaveTextContent("$9 a month");
  expect(starter.getByText("300 credits every month")).toBeVisible();
  expect(starter.getByText("30 images, $0.30 each")).toBeVisible();
});

test("the plan with the cheapest credits is recommended, and no other", () => {
  showPlans(null);
  expect(screen.getAllByText("Best value")).toHaveLength(1);
  expect(cardOf("Pro plan").getByText("Best value")).toBeVisible();
});

test("a visitor's button buys the plan and period that it names", () => {
  showPlans(null, plans);
  const year = cardOf("Pro plan").getByRole("button", { name: "Choose the Pro plan, yearly" });
  expect(year).toHaveValue("plan");
  expect(year.closest("form")).toHaveFormValues({ planKey: "pro", period: "year" });
  const month = cardOf("Pro plan").getByRole("button", { name: "Choose the Pro plan" });
  expect(month.closest("form")).toHaveFormValues({ planKey: "pro", period: "month" });
});

test("a member's plan is marked and leads to billing, and the larger one is an upgrade", () => {
  showPlans(STARTER);
  const own = cardOf("Starter plan");
  expect(own.getByText("Your plan")).toBeVisible();
  expect(own.getByRole("link", { name: "Manage your plan" })).toHaveAttribute(
    "href",
    "/en/account/billing",
  );
  expect(own.getByText(/^Next 300 credits:/)).toBeVisible();
  const larger = cardOf("Pro plan");
  expect(larger.queryByText("Your plan")).toBeNull();
  expect(larger.getByRole("link", { name: "Upgrade to the Pro plan" })).toHaveAttribute(
    "href",
    "/en/account/billing/change?plan=pro&period=month",
  );
  expect(larger.getByText("You pay only the difference for the days left.")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

test("a member of the best plan isn't told to get it, and the smaller one comes at renewal", () => {
  showPlans(PRO);
  expect(screen.queryByText("Best value")).toBeNull();
  const smaller = cardOf("Starter plan");
  expect(
    smaller.getByRole("link", { name: "Switch to the Starter plan at renewal" }),
  ).toBeVisible();
  expect(smaller.getByText("Starts when the time you paid for is over.")).toBeVisible();
});

test("the same plan by the year is a switch, and its card is marked for the own period only", () => {
  showPlans(STARTER, plans);
  const own = cardOf("Starter plan");
  expect(own.getAllByText("Your plan")).toHaveLength(1);
  expect(own.getByText("Your plan").parentElement).toHaveClass("by-month");
  expect(own.getByRole("link", { name: "Switch to yearly" })).toHaveAttribute(
    "href",
    "/en/account/billing/change?plan=starter&period=year",
  );
});

test("without plans there is no empty list", () => {
  showPlans(null, []);
  expect(screen.queryByRole("list")).toBeNull();
});

test("each pack has a name, a price and a button that buys it alone", () => {
  renderInPage(
    <PackOffers packs={packs} hasPlans imageCost={10} provider="stripe" isSignedIn={false} />,
  );
  const list = screen.getByRole("region", { name: "Credit packs" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(packs.length);
  const medium = cardOf("500 credits");
  expect(medium.getByText("$19")).toBeVisible();
  expect(medium.getByText(/^50 images, \$0\.38 each$/)).toBeVisible();
  const buy = medium.getByRole("button", { name: "Buy 500 credits" });
  expect(buy).toHaveValue("pack");
  expect(buy.closest("form")).toHaveFormValues({ skuKey: "credits_medium" });
  expect(within(list).getByText(/we’ll ask you to sign in first/)).toBeVisible();
});

test("while image generation is off, a pack doesn't speak of images", () => {
  renderInPage(
    <PackOffers packs={packs} hasPlans={false} imageCost={null} provider="creem" isSignedIn />,
  );
  expect(screen.queryByText(/image/)).toBeNull();
  expect(screen.getByText(/hosted by Creem/)).toBeVisible();
  expect(screen.queryByText(/sign in first/)).toBeNull();
});

test.each([
  ["es", "Plan Pro"],
  ["zh", "Pro 套餐"],
] as const)("the plans are said in the page's language: %s", (locale, name) => {
  renderInPage(<PlanOffers plans={MONTHLY} member={null} imageCost={10} provider="stripe" />, {
    locale,
  });
  expect(screen.getByRole("heading", { name: new RegExp(name) })).toBeVisible();
});
