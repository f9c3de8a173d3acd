import fc from "fast-check";
import { expect, test } from "vitest";
import { namesIn } from "~/models/webhooks/delivery-names";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("ids are found wherever they stand, and words, prices and events are not", () => {
  const user = "7f0c1a52-1111-4222-8333-123456789abc";
  const payload = bytes({
    id: "evt_1Qabc",
    type: "payment_intent.succeeded",
    data: {
      object: {
        id: "pi_3QaBcD",
        client_secret: "pi_3QaBcD_secret_9xYz",
        customer: { id: "cus_Nff1" },
        payment_method_types: ["card", "requires_payment_method"],
        metadata: { user_id: user },
        lines: [
          { price: "price_1Q", subscription: "sub_1Q" },
          { invoice: "in_1Q", note: null },
        ],
      },
    },
  });
  expect(namesIn(payload).toSorted()).toEqual(
    ["cus_Nff1", "in_1Q", "pi_3QaBcD", "sub_1Q", user].toSorted(),
  );
});

test("any payload gives a bounded list of texts", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(namesIn(new TextEncoder().encode(text)).length).toBeLessThanOrEqual(60);
    }),
  );
  expect(namesIn(new TextEncoder().encode("not JSON"))).toEqual([]);
  const many = Array.from({ length: 50_000 }, (_, nth) => `sub_A${nth}`);
  expect(namesIn(bytes(many))).toHaveLength(60);
});
