import fc from "fast-check";
import { expect, test } from "vitest";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent, SubscriptionStatus } from "~/services/payments/billing-event";
import { PLAN, TOP_PLAN } from "../../fixtures/sold";
import { newSubscription } from "../../helpers/billing";
import { openBilling } from "../../helpers/billing-ledger";
import { createUser, inFuture } from "../../helpers/credits";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { monthsFromNow } from "../../helpers/subscriptions";

// A subscription at a provider whose events don't tell everything: Creem tells of a scheduled cancellation without a status, and of some things without a period.

const RUNS = byRun({ few: 16, many: 100 });
const FIRST_MONTH = -1;
const LONGEST = 5;
const MINUTE = 60_000;
const { ledger, apply, rowOf, tick } = openBilling();

interface State {
  status: SubscriptionStatus;
  cancels: boolean;
  planKey: string;
  month: number;
}
const FIRST: State = { status: "active", cancels: false, planKey: PLAN.planKey, month: 0 };

interface History {
  /** Each chooses one of the states that may come next. */
  turns: number[];
  /** If it may, it is cancelled at last: such an event hides the status before it. */
  cancels: boolean;
}

/** The states that may come next at the provider. A plan is changed after its first month, because nobody pays for the change here. */
function statesAfter(state: State): State[] {
  const { status, cancels, month } = state;
  if (cancels || status === "paused") return [{ ...state, status: "active", cancels: false }];
  const paid: State = { ...state, status: "active", month: month + 1 };
  if (status === "past_due") return [paid];
  const changed = month > 0 ? [{ ...state, planKey: TOP_PLAN.planKey }] : [];
  return [
    paid,
    { ...state, status: "past_due" },
    { ...state, status: "paused" },
    { ...state, cancels: true },
    ...changed,
  ];
}

/** The provider's deliveries, and what it says at last. */
function tell(userId: string, { turns, cancels }: History) {
  const subscription = newSubscription(userId);
  const startOf = (month: number) => monthsFromNow(FIRST_MONTH + month);
  const deliveries: BillingEvent[][] = [];
  const send = ({ status, cancels, planKey, month }: State, isPaid: boolean) => {
    const [start, end] = [startOf(month), startOf(month + 1)];
    const priceId = `price_${planKey}_month`;
    const changed = subscription.changed(start, end, {
      ...(cancels ? { currentPeriodStart: null, currentPeriodEnd: null } : {}),
      ...{ status: cancels ? null : status, cancelAtPeriodEnd: cancels, priceId },
      ...{ startedAt: startOf(0), occurredAt: inFuture((deliveries.length - 100) * MINUTE) },
    });
    deliveries.push(isPaid ? [changed, subscription.paid(start, end, { priceId })] : [changed]);
  };
  let state = FIRST;
  send(state, true);
  for (const turn of turns) {
    const next = statesAfter(state);
    const { month } = state;
    state = next[turn % next.length] ?? state;
    send(state, state.month > month);
  }
  const cancelled = statesAfter(state).find((next) => next.cancels);
  if (cancels && cancelled) {
    state = cancelled;
    send(state, false);
  }
  return { subscription, deliveries, last: state };
}

async function outcomeOf(userId: string, subscription: ReturnType<typeof newSubscription>) {
  const row = await rowOf(subscription);
  const { status, cancelAtPeriodEnd, planKey, currentPeriodStart, currentPeriodEnd } = row;
  const periods = await ledger.db.subscriptionPeriod.findMany({
    where: { subscriptionId: row.id },
    orderBy: { startsAt: "asc" },
    select: { startsAt: true, endsAt: true, planKey: true, kind: true },
  });
  return {
    ...{ status, cancelAtPeriodEnd, planKey, currentPeriodStart, currentPeriodEnd, periods },
    // Credits come while a plan runs: of one that doesn't any more it counts when it was told of.
    balance: status === "active" ? await getBalance(userId, ledger.db) : null,
  };
}

const places = fc.integer({ min: 0, max: 1_000 });
const histories = fc.record({
  turns: fc.array(fc.nat(), { minLength: 1, maxLength: LONGEST }),
  cancels: fc.boolean(),
  // Each delivery arrives once or twice; the numbers are its places in the order of arrival.
  places: fc.array(fc.array(places, { minLength: 1, maxLength: 2 }), {
    minLength: LONGEST + 2,
    maxLength: LONGEST + 2,
  }),
});

test(`deliveries in any order, any number of times, lead to the same subscription and credits (${RUNS} histories)`, {
  ...LAW_TIMEOUT,
}, async () => {
  await holdsFor(histories, { runs: RUNS }, async ({ places, ...history }) => {
    const twin = await createUser(ledger.db);
    const inOrder = tell(twin, history);
    for (const delivery of inOrder.deliveries) await apply(...delivery);
    const userId = await createUser(ledger.db);
    const { subscription, deliveries, last } = tell(userId, history);
    const arrivals = deliveries
      .flatMap((delivery, at) => (places[at] ?? []).map((place) => ({ place, delivery })))
      .sort((a, b) => a.place - b.place);
    for (const { delivery } of arrivals) await apply(...delivery);
    await tick();
    const outcome = await outcomeOf(userId, subscription);
    expect(outcome).toEqual(await outcomeOf(twin, inOrder.subscription));
    const { status, cancels: cancelAtPeriodEnd, planKey } = last;
    expect(outcome).toMatchObject({ status, cancelAtPeriodEnd, planKey });
  });
});
