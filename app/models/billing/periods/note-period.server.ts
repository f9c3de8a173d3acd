import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { PaidPeriod } from "~/models/billing/periods/paid-periods";
import { monthlyCredits } from "~/models/billing/periods/periods.server";
import { takeSurplus } from "~/models/billing/periods/surplus.server";
import { log } from "~/utils/logger.server";

export interface NewPeriod {
  subscriptionId: string;
  kind: PaidPeriod["kind"];
  startsAt: Date;
  endsAt: Date;
  planKey: string;
  period: string;
  /** When it was paid; null if the provider doesn't say. */
  paidAt: Date | null;
  /** Whether its invoice credits the unused time of the period in which it begins. */
  replacesEarlier: boolean;
  payment: PeriodPayment | null;
}

/** The payment of a period. */
export interface PeriodPayment {
  /** Stripe: the invoice. Creem: the transaction. */
  id: string;
  /** Stripe: the payment intents, where the event names them, and what each paid. Creem: the order. */
  payments: readonly { id: string; amount: number | null }[];
  /** Minor units; null where the event doesn't say. */
  amount: number | null;
  currency: string | null;
}

/**
 * Adds a period to a subscription that an earlier statement has locked. A payment that is known
 * already changes nothing. A period without a payment (the first one, granted before its invoice came)
 * takes over the payment, plan and end of the one that begins when it does; so does one whose payment only a
 * return has named. A payment without an id counts once per start.
 */
export async function notePeriod(noted: NewPeriod, transaction: Transaction): Promise<void> {
  const { subscriptionId, kind, startsAt, endsAt, planKey, period, payment } = noted;
  if (payment) {
    await linkPayments({ subscriptionId, payment }, transaction);
    if (kind !== "upgrade" && (await adoptPayment({ ...noted, payment }, transaction))) return;
    await freeNamed({ ...noted, payment }, transaction);
  }
  await transaction.$executeRaw`
    INSERT INTO subscription_periods (subscription_id, kind, provider, provider_payment_id,
      starts_at, ends_at, plan_key, period, amount, currency, paid_at, replaces_earlier)
    SELECT id, ${kind}::period_kind, provider, ${payment?.id ?? null}, ${startsAt}::timestamptz,
      ${endsAt}::timestamptz, ${planKey}, ${period}, ${payment?.amount ?? null}::bigint,
      ${payment?.currency ?? null}, ${noted.paidAt}::timestamptz, ${noted.replacesEarlier}
    FROM subscriptions WHERE id = ${subscriptionId}::uuid
      AND (${payment !== null} OR NOT EXISTS (
        SELECT 1 FROM subscription_periods
        WHERE subscription_id = ${subscriptionId}::uuid AND starts_at = ${startsAt}::timestamptz
      ))
    ON CONFLICT (provider, provider_payment_id) DO NOTHING`;
}

/** Notes which payments paid it, where the event says so. */
async function linkPayments(
  { subscriptionId, payment }: { subscriptionId: string; payment: PeriodPayment },
  transaction: Transaction,
): Promise<void> {
  if (payment.payments.length === 0) return;
  const { provider } = await transaction.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { provider: true },
  });
  for (const { id: paymentId, amount } of payment.payments)
    await linkPayment({ provider, invoiceId: payment.id, paymentId, amount }, transaction);
}

/** Notes which payment paid an invoice, or a part of it in minor units. */
export async function linkPayment(
  link: { provider: string; invoiceId: string; paymentId: string; amount: number | null },
  transaction: Transaction,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO invoice_payments AS known
      (provider, provider_intent_id, provider_payment_id, amount)
    VALUES (${link.provider}, ${link.paymentId}, ${link.invoiceId}, ${link.amount}::bigint)
    ON CONFLICT (provider, provider_intent_id, provider_payment_id) DO UPDATE
      SET amount = coalesce(known.amount, excluded.amount)`;
}

/**
 * SQL: the payment of the period `paid` is known by a return alone, which names it and was matched to the period by
 * guess. An event of its own would have said when it was paid.
 */
export const IS_NAMED_BY_RETURN = Prisma.sql`paid.kind <> 'upgrade' AND paid.paid_at IS NULL AND EXISTS (
  SELECT 1 FROM payment_returns naming WHERE naming.period_id = paid.id
    AND paid.provider_payment_id IN (naming.provider_payment_id, naming.provider_invoice_id))`;

/** Takes a payment from periods that only its returns gave it to, by guess: it was made for another one. */
async function freeNamed(
  { subscriptionId, payment }: NewPeriod & { payment: PeriodPayment },
  transaction: Transaction,
): Promise<void> {
  const named = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscription_periods paid
    WHERE subscription_id = ${subscriptionId}::uuid AND provider_payment_id = ${payment.id}
      AND ${IS_NAMED_BY_RETURN}`;
  for (const { id } of named) await freePayment(id, transaction);
}

/** Leaves a period without a payment. The returns that were matched to it are kept. */
export async function freePayment(periodId: string, transaction: Transaction): Promise<void> {
  await transaction.paymentReturn.updateMany({ where: { periodId }, data: { periodId: null } });
  await transaction.subscriptionPeriod.updateMany({
    where: { id: periodId },
    data: { providerPaymentId: null, amount: null, currency: null, paidAt: null },
  });
}

/**
 * Fills in the payment of the period with the same start that has none yet, or that only a return has named; false if
 * there is none. Not of one that was granted beyond the end that was paid for: that is another period. A closed one
 * takes the payment over only if the returns that closed it aren't known to be another invoice's.
 */
async function adoptPayment(
  noted: NewPeriod & { payment: PeriodPayment },
  transaction: Transaction,
): Promise<boolean> {
  const { subscriptionId, startsAt, endsAt, planKey, period, paidAt, payment } = noted;
  const [adopted] = await transaction.$queryRaw<
    { id: string; planBefore: string; isGranted: boolean }[]
  >`
    UPDATE subscription_periods paid SET
      provider_payment_id = ${payment.id},
      amount = coalesce(${payment.amount}::bigint, amount),
      currency = coalesce(${payment.currency}, currency),
      paid_at = coalesce(${paidAt}::timestamptz, paid_at),
      replaces_earlier = replaces_earlier OR ${noted.replacesEarlier},
      ends_at = ${endsAt}::timestamptz, plan_key = ${planKey}, period = ${period}
    FROM (
      SELECT id, plan_key FROM subscription_periods paid
      WHERE subscription_id = ${subscriptionId}::uuid AND starts_at = ${startsAt}::timestamptz
        AND (provider_payment_id IS NULL
          OR (provider_payment_id = ${payment.id} AND ${IS_NAMED_BY_RETURN}))
        AND (granted_for IS NULL
          OR starts_at + granted_for * interval '1 millisecond'
            <= ${endsAt}::timestamptz + interval '1 day')
        AND NOT EXISTS (
          SELECT 1 FROM payment_returns returned
            JOIN invoice_payments link ON link.provider = returned.provider
              AND link.provider_intent_id = returned.provider_payment_id
          WHERE period_id = paid.id AND link.provider_payment_id <> ${payment.id}
        )
      ORDER BY provider_payment_id, created_at LIMIT 1
    ) AS before
    WHERE paid.id = before.id AND NOT EXISTS (
      SELECT 1 FROM subscription_periods known
      WHERE known.provider = paid.provider AND known.provider_payment_id = ${payment.id}
        AND known.id <> paid.id
    )
    RETURNING paid.id, before.plan_key AS "planBefore", granted_for IS NOT NULL AS "isGranted"`;
  if (!adopted) return false;
  const { id: periodId, planBefore, isGranted } = adopted;
  const worth = monthlyCredits(planKey);
  const missing = worth - monthlyCredits(planBefore);
  if (missing < 0) await takeSurplus({ subscriptionId, periodId, worth }, transaction);
  // The plan was made smaller before anybody heard of it, and a month's source is used up.
  if (missing > 0 && isGranted)
    log().error(
      { subscriptionId, periodId, planKey, planBefore, missing },
      "a month was granted in a smaller plan than was paid for: give what is missing by `npm run ledger -- adjust`",
    );
  return true;
}
