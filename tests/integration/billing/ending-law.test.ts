import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { endSubscriptionNow } from "~/models/billing/cancellations/ending-now.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { subscriptionEnded } from "~/services/payments/subscription-ended";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { expectMonthsAddUp } from "../../helpers/month-report";
import { createTestProvider } from "../../helpers/payments";
import { removeSales } from "../../helpers/remove-sales";
import { deliver } from "../../helpers/returns-actions";
import { dayOf, NOW_DAYS, type Told } from "../../helpers/returns-law";
import {
  beginLife,
  type Life,
  lastReturns,
  liveMonths,
  NEXT_MONTH_DAYS,
  tellLast,
} from "../../helpers/returns-months";
import { actions, shops } from "../../helpers/returns-shop";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";

// Subscriptions that an admin ends at once, with spends under way, money that goes back before and after, and lots of the month before.
setUpBillingEnv();
silenceLog();
const RUNS = byRun({ few: 3, many: 60 });
const ENDED_AT = dayOf(NEXT_MONTH_DAYS);
const ledger = openLedger({ clock: dayOf(NOW_DAYS) });
let provider: PaymentProvider;
beforeAll(() => {
  provider = createTestProvider();
});

interface Held {
  /** In lots of the running month. */
  ofMonth: number;
  /** In lots of the month before, which refunds have revived. */
  revived: number;
  others: number;
}

async function heldBy({ userId }: Told): Promise<Held | undefined> {
  const [held] = await ledger.db.$queryRaw<Held[]>`
    SELECT coalesce(sum(remaining) FILTER (WHERE paid.id IS NOT NULL AND revived_at IS NULL), 0)::int AS "ofMonth",
      coalesce(sum(remaining) FILTER (WHERE paid.id IS NOT NULL AND revived_at IS NOT NULL), 0)::int AS revived,
      coalesce(sum(remaining) FILTER (WHERE paid.id IS NULL), 0)::int AS others
    FROM credit_transactions lot LEFT JOIN subscription_periods paid ON paid.id::text = lot.reference
    WHERE lot.user_id = ${userId}::uuid AND remaining > 0
      AND (expires_at > statement_timestamp()) IS NOT FALSE`;
  return held;
}

const nothing = () => Promise.resolve();

/** The ways in which the end becomes known here: by the provider's answer, or by its event once the process that asked has died. */
async function end({ told }: Life, isAnswerLost: boolean): Promise<void> {
  const { userId } = told;
  const own = await ledger.db.subscription.findMany({ where: { userId } });
  for (const { id: subscriptionId, providerSubscriptionId } of own) {
    const ending = { userId, subscriptionId, ask: nothing, record: nothing };
    const answer = { status: "ended", endedAt: ENDED_AT } as const;
    const cancelSubscription = async () => {
      if (isAnswerLost) throw new Error("killed");
      return answer;
    };
    const ended = endSubscriptionNow(
      ending,
      () => ({ ...provider, cancelSubscription }),
      ledger.db,
    );
    if (!isAnswerLost) await ended;
    else {
      await expect(ended).rejects.toThrow("killed");
      const event = subscriptionEnded({ providerSubscriptionId, endedAt: ENDED_AT });
      await deliver(ledger.db, told, [event]);
    }
  }
}

const histories = fc.record({
  shop: fc.oneof(shops("year"), shops("all")),
  months: fc.tuple(actions, actions),
  lasts: fc.tuple(lastReturns, lastReturns),
  afterwards: actions,
});

test(`of a month that is taken back nothing is ever left, and nothing else is taken (${RUNS} shops)`, {
  ...LAW_TIMEOUT,
}, async () => {
  let ended = 0;
  await holdsFor(histories, { runs: RUNS }, async (history) => {
    const { shop, months, lasts, afterwards } = history;
    try {
      const lives = [await beginLife(ledger.db, shop), await beginLife(ledger.db, shop)];
      await liveMonths(ledger.db, lives, months);
      for (const [which, life] of lives.entries()) {
        const { told } = life;
        const before = await heldBy(told);
        await end(life, which === 0);
        expect(await heldBy(told)).toEqual({ ...before, ofMonth: 0 });
        ended += before?.ofMonth ?? 0;
        const returns = tellLast(told, lasts);
        for (const [at, { thing }] of afterwards.entries()) {
          await life.act(thing);
          expect(await heldBy(told)).toMatchObject({ ofMonth: 0 });
          const event = returns[at];
          if (event) await deliver(ledger.db, told, [event]);
          expect(await heldBy(told)).toMatchObject({ ofMonth: 0 });
        }
        await end(life, false);
        expect(await heldBy(told)).toMatchObject({ ofMonth: 0 });
      }
      expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
      await expectMonthsAddUp(ledger.db);
    } finally {
      await removeSales(ledger.db);
    }
  });
  // Without credits to take the law would say nothing.
  expect(ended).toBeGreaterThan(0);
});
