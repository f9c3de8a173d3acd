import type { Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { issueDueGrants } from "~/models/billing/periods/grants.server";
import { spendCredits } from "~/models/credits/spends.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { applyEvents, newSubscription } from "./billing";
import { createUser } from "./credits";
import { createBiller, type Interval, type Payment, type Step } from "./subscription-model";

const DAY = 24 * 60 * 60 * 1000;

/** One subscription, its provider and its owner, on a clock of their own. */
export interface World {
  db: Database;
  now: Date;
  userId: string;
  subscription: ReturnType<typeof newSubscription>;
  biller: ReturnType<typeof createBiller>;
  /** Sent by the provider but not delivered yet. */
  queue: BillingEvent[];
  /** The invoices of the biller's payments. */
  invoices: InvoicePaid[];
  /** Tenths of each payment that went back. */
  returned: Map<InvoicePaid, number>;
  start: Date;
  spends: number;
}

export const setClock = (db: Database, at: Date) =>
  db.$executeRaw`UPDATE fake_clock SET at = ${at}::timestamptz`;

export async function createWorld(db: Database, start: Date, interval: Interval): Promise<World> {
  await setClock(db, start);
  const userId = await createUser(db);
  const world: World = {
    ...{ db, userId, start, now: start, spends: 0 },
    subscription: newSubscription(userId),
    biller: createBiller(start, interval),
    queue: [],
    invoices: [],
    returned: new Map(),
  };
  tell(world, world.biller.last());
  return world;
}

/** Queues the provider's events for a payment: the subscription's event, then the paid invoice. */
function tell(
  world: World,
  { start, end, interval, plan, covers }: Payment,
  more: Partial<InvoicePaid> = {},
): void {
  const { subscription } = world;
  const priceId = `price_${plan}_${interval}`;
  const invoice = subscription.paid(start, end, {
    ...{ covers, priceId, amount: interval === "month" ? 900 : 9000 },
    payments: [
      { id: `pi_${subscription.providerSubscriptionId}_${world.invoices.length}`, amount: null },
    ],
    ...more,
  });
  world.invoices.push(invoice);
  const changed = subscription.changed(start, end, { occurredAt: start, priceId });
  // The period of an upgrade is the one that runs already.
  const period = covers === "upgrade" ? { currentPeriodStart: null, currentPeriodEnd: null } : {};
  world.queue.push({ ...changed, ...period, startedAt: world.start }, invoice);
}

export async function perform(world: World, step: Step): Promise<void> {
  const { biller, userId, db, subscription } = world;
  switch (step.do) {
    case "pass": {
      world.now = new Date(world.now.getTime() + step.days * DAY);
      await setClock(db, world.now);
      for (const payment of biller.renewUntil(world.now)) tell(world, payment);
      return;
    }
    case "run":
      if (step.crashes) await crashingRun(db);
      else await runDueGrants({}, db);
      return;
    case "deliver": {
      const from = Math.min(step.from, Math.max(0, world.queue.length - 1));
      const batch = world.queue.splice(from, step.count);
      for (const event of batch) await applyEvents(db, event);
      if (step.twice) for (const event of batch.toReversed()) await applyEvents(db, event);
      return;
    }
    case "lose":
      world.queue.splice(step.at, 1);
      return;
    case "switch": {
      const payment = biller.changeInterval(world.now, step.interval);
      // Its invoice credits the rest of the period before.
      if (payment) tell(world, payment, { replacesEarlier: true });
      return;
    }
    case "change": {
      const payment = biller.changePlan(world.now, step.plan);
      if (payment) tell(world, payment);
      return;
    }
    case "schedule":
      return biller.schedule(step.plan);
    case "refund": {
      const invoice = world.invoices[step.payment % world.invoices.length] as InvoicePaid;
      const tenths = Math.min(10, (world.returned.get(invoice) ?? 0) + step.tenths);
      world.returned.set(invoice, tenths);
      world.queue.push(subscription.refunded(invoice, ((invoice.amount ?? 0) / 10) * tenths));
      return;
    }
    case "dispute": {
      const invoice = world.invoices[step.payment % world.invoices.length] as InvoicePaid;
      world.queue.push(subscription.disputed(invoice));
      return;
    }
    case "spend": {
      world.spends += 1;
      const source = `test:${userId}:${world.spends}`;
      await spendCredits({ userId, amount: step.amount, source }, db);
    }
  }
}

/** A run that grants what is due and crashes before it commits. */
async function crashingRun(db: Database): Promise<void> {
  const death = new Error("killed");
  await db
    .$transaction(async (transaction) => {
      const rows = await transaction.$queryRaw<{ id: string }[]>`
        SELECT id FROM subscriptions FOR UPDATE`;
      await issueDueGrants(
        rows.map(({ id }) => id),
        transaction,
      );
      throw death;
    })
    .catch((error: unknown) => {
      if (error !== death) throw error;
    });
}

/** Everything that is still queued arrives, and the daily run catches up. */
export async function settle({ db, queue }: World): Promise<void> {
  for (const event of queue.splice(0)) await applyEvents(db, event);
  for (let run = 0; run < 4; run += 1) await runDueGrants({}, db);
}

/** Leaves nothing that a later run would grant to, and no ledger without its periods. */
export async function removeWorld({ db, userId }: World): Promise<void> {
  await db.paymentReturn.deleteMany({});
  await db.subscriptionPeriod.deleteMany({ where: { subscription: { userId } } });
  await db.subscription.deleteMany({ where: { userId } });
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.creditAllocation.deleteMany({ where: { transaction: { userId } } }),
    db.creditTransaction.deleteMany({ where: { userId } }),
    db.creditAccount.deleteMany({ where: { userId } }),
  ]);
}
