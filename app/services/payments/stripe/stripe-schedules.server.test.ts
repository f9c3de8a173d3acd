import { expect, test } from "vitest";
import { planPhases } from "~/services/payments/stripe/stripe-schedules.server";

const CHANGE = { fromPriceId: "price_pro", toPriceId: "price_starter", period: "month" } as const;
const RUNNING = { start_date: 1000, end_date: 2000, items: [{ price: "price_pro", quantity: 1 }] };

test("the running phase stays as it is, and the new price follows without prorations", () => {
  expect(planPhases({ phases: [RUNNING] }, CHANGE)).toEqual({
    end_behavior: "release",
    proration_behavior: "none",
    phases: [
      { ...RUNNING, proration_behavior: "none" },
      {
        items: [{ price: "price_starter", quantity: 1 }],
        duration: { interval: "month", interval_count: 1 },
        proration_behavior: "none",
      },
    ],
  });
});

test("other items and the subscription's discounts stay in both phases", () => {
  const running = {
    ...RUNNING,
    items: [...RUNNING.items, { price: { id: "price_seats" }, quantity: 3 }],
    discounts: [{ discount: "di_1" }],
  };
  const { phases } = planPhases({ phases: [running] }, CHANGE);
  expect(phases.map(({ items }) => items)).toEqual([
    [
      { price: "price_pro", quantity: 1 },
      { price: "price_seats", quantity: 3 },
    ],
    [
      { price: "price_starter", quantity: 1 },
      { price: "price_seats", quantity: 3 },
    ],
  ]);
  for (const phase of phases) expect(phase).toMatchObject({ discounts: [{ discount: "di_1" }] });
});
