import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import {
  freePayment,
  IS_NAMED_BY_RETURN,
  type NewPeriod,
  notePeriod,
  type PeriodPayment,
} from "~/models/billing/periods/note-period.server";
import { monthlyCredits } from "~/models/billing/periods/periods.server";
import { takeSurplus } from "~/models/billing/periods/surplus.server";
import { applyReturnsOf } from "~/models/billing/returns/kept-returns.server";

type Paid = NewPeriod & { payment: PeriodPayment };

/**
 * Notes a paid period. The first payment of a start owns what was granted there. If a later one was told
 * of first and owns it, this one takes its place, and the later one is noted once more after it: as an
 * upgrade, if it paid for another plan. One that only a return has named waits for its own event. The caller
 * settles the subscription.
 */
export async function notePaidPeriod(noted: NewPeriod, transaction: Transaction): Promise<void> {
  const { payment, planKey } = noted;
  if (payment) await releaseReturns({ ...noted, payment }, transaction);
  const later = payment && (await freePeriod({ ...noted, payment }, transaction));
  await notePeriod(noted, transaction);
  if (!later?.paidAt) return;
  const isUpgrade = later.planKey !== planKey;
  const { paidAt } = later;
  await notePeriod(
    isUpgrade ? { ...later, kind: "upgrade", startsAt: paidAt } : later,
    transaction,
  );
  if (isUpgrade) await turnIntoUpgrades({ noted, upgrade: later }, transaction);
  await applyReturnsOfPeriod(later, transaction);
}

/**
 * Turns periods into upgrades that paid for this upgrade again: while the first payment of their start was unknown, they
 * were whole periods. What they gave above the difference is taken back.
 */
async function turnIntoUpgrades(
  { noted, upgrade }: { noted: NewPeriod; upgrade: Paid },
  transaction: Transaction,
): Promise<void> {
  const { subscriptionId, startsAt, planKey } = noted;
  const repeated = await transaction.$queryRaw<{ id: string; paidAt: Date }[]>`
    SELECT id, paid_at AS "paidAt" FROM subscription_periods
    WHERE subscription_id = ${subscriptionId}::uuid AND kind = 'paid'
      AND starts_at = ${startsAt}::timestamptz AND plan_key = ${upgrade.planKey}
      AND paid_at > ${upgrade.paidAt}::timestamptz`;
  for (const { id, paidAt } of repeated) {
    const worth = monthlyCredits(upgrade.planKey) - monthlyCredits(planKey);
    await takeSurplus({ subscriptionId, periodId: id, worth, from: paidAt }, transaction);
    const shift = paidAt.getTime() - startsAt.getTime();
    await transaction.subscriptionPeriod.updateMany({
      where: { id },
      data: {
        kind: "upgrade",
        startsAt: paidAt,
        grantedFor: { decrement: shift },
        anchorOffset: { decrement: shift },
      },
    });
  }
}

/** The first payment of a period is made when it begins, give or take a day. */
const FIRST_PAYMENT_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps returns of other payments, which were matched by guess to the period that this first payment pays for.
 * Otherwise they would keep it from the period, which would stay for ever without a payment.
 */
async function releaseReturns(
  { subscriptionId, startsAt, paidAt, payment }: Paid,
  transaction: Transaction,
): Promise<void> {
  if (!paidAt || paidAt.getTime() - startsAt.getTime() > FIRST_PAYMENT_TOLERANCE_MS) return;
  await transaction.$executeRaw`
    UPDATE payment_returns returned SET period_id = NULL
    FROM subscription_periods paid, invoice_payments link
    WHERE paid.id = period_id AND subscription_id = ${subscriptionId}::uuid
      AND starts_at = ${startsAt}::timestamptz AND paid.provider_payment_id IS NULL
      AND link.provider = returned.provider
      AND link.provider_intent_id = returned.provider_payment_id
      AND link.provider_payment_id <> ${payment.id}`;
}

/** The later payment of the period, which then has none; null if there is none. Its returns are kept. */
async function freePeriod(
  { subscriptionId, kind, startsAt, endsAt, paidAt, payment }: Paid,
  transaction: Transaction,
): Promise<Paid | null> {
  if (kind !== "paid" || !paidAt) return null;
  const [later] = await transaction.$queryRaw<LaterPayment[]>`
    SELECT id, provider_payment_id AS "paymentId", amount::float8, currency, paid_at AS "paidAt",
      ends_at AS "endsAt", plan_key AS "planKey", period, replaces_earlier AS "replacesEarlier"
    FROM subscription_periods paid CROSS JOIN LATERAL (
      SELECT CASE WHEN ${IS_NAMED_BY_RETURN} THEN (
        SELECT min(paid_at) FROM payment_returns WHERE period_id = paid.id
      ) ELSE paid_at END AS made_at
    ) payment
    WHERE subscription_id = ${subscriptionId}::uuid AND starts_at = ${startsAt}::timestamptz
      AND kind = 'paid' AND made_at > ${paidAt}::timestamptz AND provider_payment_id IS NOT NULL
      AND (granted_for IS NULL OR starts_at + granted_for * interval '1 millisecond'
        <= ${endsAt}::timestamptz + interval '1 day')
      AND NOT EXISTS (
        SELECT 1 FROM subscription_periods known
        WHERE known.provider = paid.provider AND known.provider_payment_id = ${payment.id}
      )
    ORDER BY made_at LIMIT 1`;
  if (!later) return null;
  const { id, paymentId, amount, currency, ...rest } = later;
  await freePayment(id, transaction);
  // The payments that paid its invoice are linked to it already.
  const own = { id: paymentId, payments: [], amount, currency };
  return { subscriptionId, kind, startsAt, ...rest, payment: own };
}

interface LaterPayment {
  id: string;
  paymentId: string;
  amount: number | null;
  currency: string | null;
  /** Null if only a return has named the payment. */
  paidAt: Date | null;
  endsAt: Date;
  planKey: string;
  period: string;
  replacesEarlier: boolean;
}

async function applyReturnsOfPeriod(
  { subscriptionId, payment }: Paid,
  transaction: Transaction,
): Promise<void> {
  const { provider } = await transaction.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { provider: true },
  });
  const links = await transaction.invoicePayment.findMany({
    where: { provider, providerPaymentId: payment.id },
    select: { providerIntentId: true },
  });
  const paymentIds = [payment.id, ...links.map(({ providerIntentId }) => providerIntentId)];
  await applyReturnsOf({ provider: provider as PaymentProviderName, paymentIds }, transaction);
}
