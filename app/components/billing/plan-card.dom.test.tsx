// @vitest-environment jsdom

import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { HAS_TWO_PLANS, nameOf, PLAN, shown, TOP_PLAN } from "#tests/fixtures/sold";
import { renderInPage } from "#tests/helpers/component";
import { PlanCard } from "~/components/billing/plan-card";
import { PlanOptions } from "~/components/billing/plan-options";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

const END = new Date("2026-12-05T00:00:00Z");

const RUNNING: ShownSubscription = {
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

const show = (more: Partial<ShownSubscription>) =>
  renderInPage(<PlanCard subscription={{ ...RUNNING, ...more }} outlook={null} />, {
    path: "/en/account/billing",
  });

test("a running plan says its price and state, and leads to its change and its cancellation", () => {
  show({});
  const plan = screen.getByRole("region", { name: nameOf(PLAN) });
  expect(plan).toHaveTextContent("Active");
  expect(plan).toHaveTextContent(`${shown(PLAN.amounts.month)} a month`);
  expect(screen.getByRole("link", { name: "Change plan" })).toHaveAttribute(
    "href",
    "/en/account/billing/change?subscription=plan-1",
  );
  expect(screen.getByRole("link", { name: "Cancel plan" })).toHaveAttribute(
    "href",
    "/en/account/billing/cancel?subscription=plan-1",
  );
});

test("a plan that ends offers neither, and can be kept", () => {
  show({ cancelAtPeriodEnd: true, changeable: false, cancelable: false, keepable: true });
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.queryByText("Active")).toBeNull();
  const plan = screen.getByRole("region", { name: nameOf(PLAN) });
  expect(plan).toHaveTextContent(`Your ${nameOf(PLAN)} ends on December 5.`);
  expect(plan).not.toHaveTextContent(/every month|a month|renews/);
  const keep = screen.getByRole("button", { name: `Keep my ${nameOf(PLAN)}` });
  expect(keep.closest("form")).toHaveAttribute(
    "action",
    "/en/account/billing/resume?subscription=plan-1",
  );
});

test("a planned change is named, and can be undone", () => {
  show({ planned: { planKey: TOP_PLAN.planKey, period: "year" } });
  const undo = screen.getByRole("button");
  expect(undo).toHaveValue("undo");
  expect(screen.getByRole("region")).toHaveTextContent(
    new RegExp(`until December 5. Then you switch to the ${nameOf(TOP_PLAN)}`),
  );
});

test.runIf(HAS_TWO_PLANS)(
  "the present plan can't be chosen again, and the chosen one is marked",
  () => {
    renderInPage(
      <PlanOptions
        change={{
          id: "plan-1",
          preview: { planKey: TOP_PLAN.planKey, period: "month" },
          options: [
            { planKey: PLAN.planKey, period: "month", amount: 900, timing: "same" },
            { planKey: TOP_PLAN.planKey, period: "month", amount: 2_900, timing: "now" },
            { planKey: TOP_PLAN.planKey, period: "year", amount: 29_000, timing: "now" },
          ],
        }}
      />,
      { path: "/en/account/billing/change" },
    );
    expect(screen.queryByRole("radio", { name: new RegExp(nameOf(PLAN)) })).toBeNull();
    const [month, year] = screen.getAllByRole("radio", { name: new RegExp(nameOf(TOP_PLAN)) });
    expect(month).toBeChecked();
    expect(month).toHaveAttribute("value", `${TOP_PLAN.planKey}.month`);
    expect(year).not.toBeChecked();
    expect(month?.closest("form")).toHaveAttribute("action", "/en/account/billing/change");
  },
);
