import { expect, test } from "vitest";
import type { Prices } from "~/env/prices";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

// Found by the attack on issue 26: until 2024 Stripe's disputes had a ninth state, for one that ended because its charge was
// refunded. An endpoint with an older API version sends it with `charge.dispute.closed`: 500 ten times, then dead.
test("OS1 a dispute that ended because the charge was refunded can be read", () => {
  const object = {
    id: "dp_1",
    charge: "ch_1",
    payment_intent: "pi_1",
    amount: 500,
    currency: "usd",
  };
  const payload = {
    ...{ id: "evt_1", type: "charge.dispute.closed", created: 1_700_000_000 },
    data: { object: { ...object, status: "charge_refunded", created: 1_700_000_000 } },
  };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const [event] = readStripeDelivery(body, {} as Prices)?.events ?? [];
  expect(event?.kind).toBe("returned");
});
