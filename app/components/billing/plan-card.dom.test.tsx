// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInPage } from "#tests/helpers/component";
import { PlanCard } from "~/components/billing/plan-card";
import { PlanOptions } from "~/components/billing/plan-options";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

const END = new Date("2026-12-05T00:00:00Z");

const STARTER: ShownSubscription = {
  id: "plan-1",
  provider: "stripe",
  planKey: "starter",
  period: "month",
  amount: 900,
  status: "active",
  cancelAtPeriodEnd: false,
  periodEnd: END,
  endedAt: null,
  nextCredits: { status: "renewal", amount: 300, at: END },
  planned: null,
  changeable: true,
  cancelable: true,
};

const show = (more: Partial<ShownSubscription>) =>
  renderInPage(<PlanCard subscription={{ ...STARTER, ...more }} />, {
    path: "/en/account/billing",
  });

test("a running plan says its price and state, and leads to its change and its cancellation", () => {
  show({});
  const plan = screen.getByRole("region", { name: "Starter plan" });
  expect(plan).toHaveTextContent("Active");
  expect(plan).toHaveTextContent("$9.00 a month");
  expect(screen.getByRole("link", { name: "Change plan" })).toHaveAttribute(
    "href",
    "/en/account/billing/change?subscription=plan-1",
  );
  expect(screen.getByRole("link", { name: "Cancel plan" })).toHaveAttribute(
    "href",
    "/en/account/billing/cancel?subscription=plan-1",
  );
});

test("a plan that ends offers neither", () => {
  show({ cancelAtPeriodEnd: true, changeable: false, cancelable: false });
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.queryByText("Active")).toBeNull();
});

test("a planned change is named, and can be undone", () => {
  show({ planned: { planKey: "pro", period: "year" } });
  const undo = screen.getByRole("button");
  expect(undo).toHaveValue("undo");
  expect(undo.closest("form")).toHaveTextContent(/December 5.*Pro plan/);
});

test("the present plan can't be chosen again, and the chosen one is marked", () => {
  renderInPage(
    <PlanOptions
      change={{
        id: "plan-1",
        preview: { planKey: "pro", period: "month" },
        options: [
          { planKey: "starter", period: "month", amount: 900, timing: "same" },
          { planKey: "pro", period: "month", amount: 2_900, timing: "now" },
          { planKey: "pro", period: "year", amount: 29_000, timing: "now" },
        ],
      }}
    />,
    { path: "/en/account/billing/change" },
  );
  expect(screen.queryByRole("link", { name: /Starter plan/ })).toBeNull();
  const [month, year] = screen.getAllByRole("link", { name: /Pro plan/ });
  expect(month).toHaveAttribute("aria-current", "true");
  expect(month).toHaveAttribute(
    "href",
    "/en/account/billing/change?subscription=plan-1&plan=pro&period=month",
  );
  expect(year).not.toHaveAttribute("aria-current");
});
