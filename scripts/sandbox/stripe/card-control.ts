import { Router } from "express";
import { z } from "zod";
import { CARD_BEHAVIORS, CARD_USES } from "./kept-card-state";
import type { StripeCards } from "./stripe-kept-cards";
import type { StripePayment, StripeState } from "./stripe-state";

const changes = z.strictObject({
  behavior: z.enum(CARD_BEHAVIORS).optional(),
  pays: z.enum(CARD_USES).nullable().optional(),
});

/**
 * Control routes of kept cards:
 *
 *     PUT  /kept-cards/:id               {behavior?, pays?}: what it does from now on when it is charged, and whether it
 *                                        pays its customer's subscriptions by default
 *     POST /kept-cards/:id/detach        the customer removes it at Stripe
 *     PUT  /charges/answers              {lost?, delayMs?, isForbidden?}: what becomes of charges
 *     GET  /money                        what was taken and given back of each customer, in minor units
 *     GET  /money/top-ups                the same by the attempt that each payment with a kept card names
 */
export function createCardControl({
  state,
  cards,
}: {
  state: StripeState;
  cards: StripeCards;
}): Router {
  const control = Router();
  control.put("/kept-cards/:id", ({ params, body }, response) => {
    const card = state.keptCards[params.id];
    if (!card) return void response.status(404).json({});
    const { behavior = card.behavior, pays = card.pays ?? null } = changes.parse(body);
    Object.assign(card, { behavior, pays });
    response.json(card);
  });
  control.post("/kept-cards/:id/detach", ({ params }, response) => {
    const card = state.keptCards[params.id];
    if (!card?.customer) return void response.status(404).json({});
    cards.detach(card);
    response.json(card);
  });
  control.get("/money", (_request, response) => {
    response.json(countMoney(state, ({ customer }) => customer ?? "guest"));
  });
  control.get("/money/top-ups", (_request, response) => {
    response.json(countMoney(state, ({ metadata }) => metadata.top_up ?? null));
  });
  return control;
}

interface Money {
  charges: number;
  taken: number;
  returned: number;
}

/** Money by what `nameOf` says of each payment; those that it says nothing of are left out. */
function countMoney(
  { payments, refunds }: StripeState,
  nameOf: (payment: StripePayment) => string | null,
): Record<string, Money> {
  const sums: Record<string, Money> = {};
  for (const payment of Object.values(payments)) {
    const { id, amount } = payment;
    const whose = nameOf(payment);
    if (whose === null) continue;
    const sum = sums[whose] ?? { charges: 0, taken: 0, returned: 0 };
    sums[whose] = sum;
    sum.charges += 1;
    sum.taken += amount;
    for (const refund of Object.values(refunds))
      if (refund.payment === id && refund.status === "succeeded") sum.returned += refund.amount;
  }
  return sums;
}
