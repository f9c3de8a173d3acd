import { findPlan } from "~/catalog";
import { findPlanOfPrice } from "~/env/prices";
import type { Subscription } from "~/generated/prisma/client";
import type { PeriodKind } from "~/generated/prisma/enums";
import {
  type Comparison,
  hasUser,
  isForeign,
  isWanted,
  UNKNOWN_USER,
} from "~/models/billing/reconciliation/comparison.server";
import {
  type Difference,
  forOperator,
  repairable,
} from "~/models/billing/reconciliation/difference";
import { repairEvents } from "~/models/billing/reconciliation/repair-subscription";
import { statusAfter } from "~/models/billing/subscriptions/status-after";
import type {
  InvoicePaid,
  SubscriptionChanged,
  SubscriptionStatus,
} from "~/services/payments/billing-event";
import { isTombstone } from "~/utils/tombstone";

/**
 * Compares a subscription's state at the provider with its row. `hasNewPayment`: an invoice of it was paid there
 * that is no period here.
 */
export async function compareSubscription(
  change: SubscriptionChanged,
  comparison: Comparison,
  { hasNewPayment = false }: { hasNewPayment?: boolean } = {},
): Promise<Difference[]> {
  const { db, records } = comparison;
  const { providerSubscriptionId } = change;
  const row = await db.subscription.findUnique({
    where: {
      provider_providerSubscriptionId: { provider: records.name, providerSubscriptionId },
    },
    include: { user: { select: { email: true, passwordHash: true } } },
  });
  const userId = row?.userId ?? change.metadata?.userId ?? null;
  if (!isWanted(comparison, userId)) return [];
  if (row)
    return [
      ...(await compareRow(row, change, comparison, { hasNewPayment })),
      ...listCharging(row, change, comparison),
      ...listUnsold(row, change, comparison),
    ];
  if (await isForeign(comparison, change.metadata)) return [];
  return compareMissing(change, comparison);
}

type OwnedRow = Subscription & { user: { email: string; passwordHash: string | null } };

/**
 * Reports a subscription that renews at the provider although it has ended here, or although its owner's
 * account was deleted: nobody wants to be charged for it.
 */
function listCharging(
  row: OwnedRow,
  change: SubscriptionChanged,
  { records }: Comparison,
): Difference[] {
  if (change.status === "canceled" || change.cancelAtPeriodEnd) return [];
  const isDeleted = isTombstone(row.user);
  if (row.status !== "canceled" && !isDeleted) return [];
  const found = {
    provider: records.name,
    object: `subscription ${change.providerSubscriptionId}`,
    userId: row.userId,
    says: `${change.status ?? "active"} there and renewing; ${isDeleted ? "its account is deleted" : "canceled"} here`,
  };
  return [
    forOperator(
      found,
      isDeleted && row.status !== "canceled"
        ? "maintenance ends it there; its log says what went wrong"
        : "end it there, and refund what was charged since",
    ),
  ];
}

const LIVE: readonly (SubscriptionStatus | null)[] = [
  ...(["trialing", "active", "past_due", "unpaid", "paused"] as const),
  null,
];

/** Reports a live subscription at a price that sells no plan: it is paid for, and nothing is granted. */
function listUnsold(
  row: Subscription,
  { status, priceId, providerSubscriptionId }: SubscriptionChanged,
  { records, prices }: Comparison,
): Difference[] {
  if (row.status === "canceled" || !LIVE.includes(status)) return [];
  if (priceId === null || findPlanOfPrice(prices, priceId)) return [];
  const found = {
    provider: records.name,
    object: `subscription ${providerSubscriptionId}`,
    userId: row.userId,
    says: `its price ${priceId} there is neither configured nor in RETIRED, so it gets no credits`,
  };
  return [
    forOperator(found, "add the price to RETIRED in app/catalog.ts, or change its price there"),
  ];
}

async function compareMissing(
  change: SubscriptionChanged,
  comparison: Comparison,
): Promise<Difference[]> {
  const { metadata, priceId } = change;
  const plan = findPlanOfPrice(comparison.prices, priceId);
  const found = {
    provider: comparison.records.name,
    object: `subscription ${change.providerSubscriptionId}`,
    userId: metadata?.userId ?? null,
    says: `${change.status ?? "active"} there, not here`,
  };
  if (!metadata) {
    if (!plan) return [];
    const advice = "it has no metadata of ours, so its user is unknown: look it up";
    return [forOperator(found, advice)];
  }
  if (!plan && !findPlan(metadata.planKey ?? ""))
    return [forOperator(found, `the catalog has no plan ${metadata.planKey}: put it back`)];
  if (!(await hasUser(comparison, metadata.userId))) return [forOperator(found, UNKNOWN_USER)];
  const paid = (await comparison.records.listPaidPeriods(change)).filter((it) => it.periodEnd);
  return [
    repairable(
      found,
      "record it and grant what was paid for",
      repairEvents({ row: null, change, paid, differs: true }),
    ),
  ];
}

async function compareRow(
  row: Subscription,
  told: SubscriptionChanged,
  comparison: Comparison,
  { hasNewPayment }: { hasNewPayment: boolean },
): Promise<Difference[]> {
  // Terminal: later states change nothing.
  if (row.status === "canceled") return [];
  const noted = await listNoted(row, comparison);
  const isAsked = hasNewPayment || mayLack(noted, told, comparison);
  const paid = isAsked ? await listUnnoted(noted, told, comparison) : [];
  const change = withStatus(told, { noted, paid });
  const differences = listDifferences(row, change, comparison);
  const last = paid.at(-1)?.periodEnd;
  const says = [...differences, ...(last ? [describeUnnoted(paid, last, noted)] : [])];
  if (says.length === 0) return [];
  const does = [
    ...(last ? ["note what is paid for"] : []),
    ...(differences.length > 0 ? ["take over its state"] : []),
  ];
  const found = {
    provider: comparison.records.name,
    object: `subscription ${change.providerSubscriptionId}`,
    userId: row.userId,
    says: says.join("; "),
  };
  const differs = differences.length > 0;
  return [repairable(found, does.join(", "), repairEvents({ row, change, paid, differs }))];
}

/** Uses the same rules as webhook events: a state that an event would ignore is not a difference. */
function listDifferences(
  row: Subscription,
  change: SubscriptionChanged,
  { prices }: Comparison,
): string[] {
  const status = statusAfter(row.status, change.status);
  if (status === "canceled") return [`status canceled there, ${row.status} here`];
  const sold = findPlanOfPrice(prices, change.priceId);
  const plan = sold && `${sold.planKey} by the ${sold.period}`;
  const ownPlan = `${row.planKey} by the ${row.period}`;
  const pairs: [name: string, there: string | null, here: string][] = [
    ["status", status, row.status],
    ["plan", plan, ownPlan],
    ["period from", isoOrNull(change.currentPeriodStart), iso(row.currentPeriodStart)],
    ["period until", isoOrNull(change.currentPeriodEnd), iso(row.currentPeriodEnd)],
    ["ends with its period", yesNo(change.cancelAtPeriodEnd), yesNo(row.cancelAtPeriodEnd)],
    ["customer", change.customerId, row.providerCustomerId ?? "none"],
  ];
  return pairs.flatMap(([name, there, here]) =>
    there === null || there === here ? [] : [`${name} ${there} there, ${here} here`],
  );
}

/** A subscription whose end is scheduled has no other status there. It runs until the time that was paid for is over. */
function withStatus(
  change: SubscriptionChanged,
  { noted, paid }: { noted: Noted[]; paid: InvoicePaid[] },
): SubscriptionChanged {
  const isAhead = (end: Date | null) => end !== null && end > change.occurredAt;
  const isPaid =
    noted.some((it) => it.providerPaymentId && !it.closedAt && isAhead(it.endsAt)) ||
    paid.some(({ periodEnd }) => isAhead(periodEnd));
  return change.status === null && isPaid ? { ...change, status: "active" } : change;
}

interface Noted {
  startsAt: Date;
  endsAt: Date;
  planKey: string;
  kind: PeriodKind;
  providerPaymentId: string | null;
  closedAt: Date | null;
  amountReturned: bigint;
}

function listNoted({ id }: Subscription, { db }: Comparison): Promise<Noted[]> {
  return db.subscriptionPeriod.findMany({
    where: { subscriptionId: id },
    orderBy: [{ startsAt: "asc" }, { createdAt: "asc" }],
    select: {
      startsAt: true,
      endsAt: true,
      planKey: true,
      kind: true,
      providerPaymentId: true,
      closedAt: true,
      amountReturned: true,
    },
  });
}

/**
 * Whether a payment may not be noted here, of whatever age: the subscription has run on, its periods have a gap or
 * lack a payment, what was paid went back and may have been paid again, or it has another plan than was paid for last.
 */
function mayLack(noted: Noted[], change: SubscriptionChanged, { prices }: Comparison): boolean {
  const plan = findPlanOfPrice(prices, change.priceId);
  const isPlanOfLast = !plan || plan.planKey === noted.at(-1)?.planKey;
  const { currentPeriodEnd } = change;
  const isWhole =
    noted.length > 0 &&
    !(currentPeriodEnd && currentPeriodEnd > endOf(noted)) &&
    noted.every((period, at) => at === 0 || period.startsAt <= endOf(noted.slice(0, at))) &&
    noted.every(({ closedAt, amountReturned }) => closedAt === null && amountReturned === 0n) &&
    noted.every(({ kind, providerPaymentId }) => kind === "trial" || providerPaymentId !== null);
  return !isWhole || !isPlanOfLast;
}

/** The payments at the provider that aren't noted here. */
async function listUnnoted(
  noted: Noted[],
  change: SubscriptionChanged,
  { records, prices }: Comparison,
): Promise<InvoicePaid[]> {
  const first = noted[0]?.startsAt;
  const ids = new Set(noted.map(({ providerPaymentId }) => providerPaymentId));
  const starts = new Set(noted.map(({ startsAt }) => startsAt.getTime()));
  const paid = await records.listPaidPeriods(change);
  return paid.filter(({ covers, invoiceId, priceId, periodStart, periodEnd }) => {
    if (covers === "nothing" || !periodStart || !periodEnd) return false;
    // A payment that names no price is of the subscription's own one.
    if (!findPlanOfPrice(prices, priceId ?? change.priceId)) return false;
    // Payments from before the first period known here were settled before it.
    if (first && periodEnd <= first) return false;
    return invoiceId ? !ids.has(invoiceId) : !starts.has(periodStart.getTime());
  });
}

function describeUnnoted(paid: InvoicePaid[], last: Date, noted: Noted[]): string {
  const here = noted.length > 0 ? endOf(noted) : null;
  if (!here || last > here) return `paid until ${iso(last)} there, ${iso(here)} here`;
  return `payments not noted here: ${paid.map(({ invoiceId }) => invoiceId ?? "without an id").join(", ")}`;
}

const endOf = (noted: Noted[]) => new Date(Math.max(...noted.map(({ endsAt }) => Number(endsAt))));
const iso = (date: Date | null) => date?.toISOString() ?? "nothing";
const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;
const yesNo = (flag: boolean) => (flag ? "yes" : "no");
