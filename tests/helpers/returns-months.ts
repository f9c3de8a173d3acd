import fc from "fast-check";
import type { Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import type { PaymentReturned } from "~/services/payments/billing-event";
import { paymentReturned } from "./billing";
import { createUser } from "./credits";
import { createSpender, deliver } from "./returns-actions";
import { shuffled } from "./returns-arrival";
import { dayOf, type Fact, NOW_DAYS, type Sold, type Told, tell } from "./returns-law";
import type { Action, Placed } from "./returns-shop";
import { setClock } from "./subscription-world";

/** A day in the second month of every subscription. */
export const NEXT_MONTH_DAYS = 35;

/** A customer of a shop: what their provider tells, and what they do. */
export interface Life {
  told: Told;
  act: (action: Action) => Promise<void>;
  deliveries: Placed<Fact>[];
}

export async function beginLife(db: Database, shop: Parameters<typeof tell>[0]): Promise<Life> {
  const told = tell(shop, await createUser(db));
  return {
    told,
    act: createSpender(told.userId, db),
    deliveries: shuffled([...told.facts, ...told.asked]),
  };
}

/** The customers' histories in the first month, and in the second. */
export async function liveMonths(
  db: Database,
  lives: readonly Life[],
  [earlier, later]: readonly [Placed<Action>[], Placed<Action>[]],
): Promise<void> {
  await setClock(db, dayOf(NOW_DAYS));
  for (const { told, act, deliveries } of lives) {
    const history = [...deliveries, ...earlier].sort((a, b) => a.at - b.at);
    for (const { thing } of history)
      if ("do" in thing) await act(thing);
      else await deliver(db, told, thing.events);
  }
  await matchKeptReturns({ limit: 100 }, db);
  await runDueGrants({}, db);
  await setClock(db, dayOf(NEXT_MONTH_DAYS));
  await runDueGrants({}, db);
  for (const { act } of lives) for (const { thing } of later) await act(thing);
}

/** A refund or dispute of a purchase's first payment, by an id of its own. */
export function returnOf(
  { provider, suffix }: Told,
  { name, payments: [payment] }: Sold,
  more: Pick<PaymentReturned, "of" | "state"> & { tenths: number },
): PaymentReturned {
  if (!payment) throw new Error(`${name}: has no payment`);
  const { paymentId, orderId, charged, currency } = payment;
  const { tenths, ...kind } = more;
  return paymentReturned({
    ...{ ...kind, paymentId, orderId, currency, chargedAmount: charged },
    returnId: `${provider}_last_${more.of}_${name}${suffix}`,
    amount: Math.ceil((charged * tenths) / 10),
  });
}

export const ofPeriods = ({ sales }: Told) => sales.filter(({ name }) => !name.startsWith("pack"));

export const MOST_RETURNS = 6;
export const lastReturns = fc.record({
  refund: fc.integer({ min: 0, max: 10 }),
  dispute: fc.integer({ min: 0, max: 10 }),
  isWon: fc.boolean(),
});
export type LastReturns = typeof lastReturns extends fc.Arbitrary<infer Value> ? Value : never;

/** A refund and a dispute of each purchase, and perhaps that it is won. */
export function tellLast(told: Told, lasts: readonly LastReturns[]): PaymentReturned[] {
  return ofPeriods(told).flatMap((sold, at) => {
    const last = lasts[at];
    if (!last) return [];
    const dispute = { of: "dispute", tenths: last.dispute } as const;
    return [
      returnOf(told, sold, { of: "refund", state: "succeeded", tenths: last.refund }),
      returnOf(told, sold, { ...dispute, state: "open" }),
      ...(last.isWon ? [returnOf(told, sold, { ...dispute, state: "won" })] : []),
    ].filter(({ amount }) => amount > 0);
  });
}
