import { expect, test } from "vitest";
import { endSubscriptionNow } from "~/models/billing/cancellations/ending-now.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { addMonths } from "~/utils/add-months";
import { PLAN } from "../../fixtures/sold";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { createTestProvider } from "../../helpers/payments";
import { createSpender } from "../../helpers/returns-actions";
import { setClock } from "../../helpers/subscription-world";

// One subscription that is ended at once in its second month, with a lot of the first that a refund has revived.
const START = new Date("2026-03-05T10:00:00Z");
const SECOND_MONTH = new Date("2026-04-10T10:00:00Z");
setUpBillingEnv();
const ledger = openLedger({ clock: START });

const OF_FIRST = 40;
const OF_SECOND = 30;

test("an end takes what its month holds, from no revived lot, and what a refund brings back of it later", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const subscription = newSubscription(userId);
  const until = addMonths(START, 12);
  const priceId = `price_${PLAN.planKey}_year`;
  await applyEvents(
    db,
    { ...subscription.changed(START, until, { priceId, occurredAt: START }), startedAt: START },
    subscription.paid(START, until, { covers: "period", priceId, amount: 9000 }),
  );
  const act = createSpender(userId, db);
  await act({ do: "run" });
  await act({ do: "spend", amount: OF_FIRST });
  await setClock(db, SECOND_MONTH);
  await act({ do: "run" });
  await act({ do: "spend", amount: OF_SECOND });
  await act({ do: "refund", spend: 0, tenths: 10 });
  expect(await getBalance(userId, db)).toBe(PLAN.creditsPerMonth - OF_SECOND + OF_FIRST);

  const { id } = await db.subscription.findFirstOrThrow({ where: { userId } });
  const nothing = () => Promise.resolve();
  const ended = await endSubscriptionNow(
    { userId, subscriptionId: id, ask: nothing, record: nothing },
    () => ({
      ...createTestProvider(),
      cancelSubscription: async () => ({ status: "ended", endedAt: SECOND_MONTH }),
    }),
    db,
  );
  expect(ended).toMatchObject({ credits: PLAN.creditsPerMonth - OF_SECOND });
  expect(await getBalance(userId, db)).toBe(OF_FIRST);

  await act({ do: "refund", spend: 1, tenths: 10 });
  expect(await getBalance(userId, db)).toBe(OF_FIRST);
  await runDueGrants({}, db);
  expect(await getBalance(userId, db)).toBe(OF_FIRST);
  expect(await auditLedger({}, db)).toMatchObject({ faults: 0 });
});
