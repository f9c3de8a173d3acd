import type { Sold, SoldPlan } from "../act/stage";
import { sum } from "../sum";
import type { Evidence } from "./evidence";
import type { PaidInvoice, PaidPlan } from "./money";
import { portion } from "./portion";
import type { LedgerRow, StoredAccount } from "./read-account";
import { REVIVED_MS, type Replayed } from "./replay";
import { monthsAfter } from "./stand-in-state";

/** No month begins less than this before a period's end. A plan that began on the 30th is billed from February 28 to March 30. */
const NO_BOUNDARY_MS = 4 * 24 * 60 * 60 * 1000;

/** A month that a payment bought. */
interface Month {
  source: string;
  startsAt: Date;
  endsAt: Date;
  credits: number;
  invoice: PaidInvoice;
}

/** Plans are as their provider has them, and their months are worth what was paid and not given back. */
export function judgePlans(evidence: Evidence, replayed: Replayed): string[] {
  return [
    ...judgePlansNow(evidence, replayed),
    ...listPaid(evidence)
      .filter(isPlain)
      .flatMap((plan) => judgeMonths(plan, evidence, replayed)),
  ];
}

/** Plans are as their provider has them, and bring no more than was paid for. So much holds in the middle of a part, too. */
export function judgePlansNow(evidence: Evidence, replayed: Replayed): string[] {
  return [
    ...judgePlanStates(evidence),
    ...listPaid(evidence).flatMap((plan) => judgeMost(plan, replayed, evidence.sold)),
  ];
}

const listPaid = (evidence: Evidence): PaidPlan[] =>
  listTold(evidence).flatMap(({ id }) => evidence.money.plans.get(id) ?? []);

/** The account's plans, unless an event that is kept back may tell more of them. */
function listTold({ person: { plans, held, fresh, isCompared, isGone } }: Evidence) {
  const isTold = held.length === 0 || isCompared;
  return isGone || !isTold || fresh.length > 0 ? [] : plans;
}

const isPlain = ({ invoices }: PaidPlan) =>
  invoices.every(({ isChange, lines }) => !isChange && lines.length === 1);

/** Plans are as their provider has them. */
function judgePlanStates(evidence: Evidence): string[] {
  const { stored, money, sold } = evidence;
  return listTold(evidence).flatMap(({ id }) => {
    const plan = money.plans.get(id);
    if (!plan) return [`plan ${id} was bought, and the provider doesn't know it`];
    const kept = stored.subscriptions.find((one) => one.id === id);
    return kept ? judgeState(plan, kept, sold) : [`plan ${id} was bought, and isn't here`];
  });
}

function judgeState(
  { id, status, cancels, price, endsAt }: PaidPlan,
  kept: StoredAccount["subscriptions"][number],
  sold: Sold,
): string[] {
  const say = (what: string, here: unknown, there: unknown) =>
    here === there ? [] : [`plan ${id}: ${what} is ${here} here, and ${there} at its provider`];
  const isOver = status === "canceled";
  if (isOver) return say("the status", kept.status, status);
  const found = findPlan(price, sold);
  return [
    ...say("the status", kept.status, status),
    ...say("that it ends", kept.cancels, cancels),
    ...say("the plan", kept.plan, found?.plan.planKey),
    ...say("the length", kept.period, found?.period),
    ...say("the period's end", kept.endsAt?.toISOString(), endsAt.toISOString()),
  ];
}

function findPlan(price: string, { plans }: Sold) {
  for (const plan of plans)
    for (const period of ["month", "year"] as const)
      if (plan.prices[period] === price) return { plan, period };
  return null;
}

/**
 * No payment brings a month more than the dearest plan that was ever paid for, and as long as nothing went back, nor do all of them
 * together: a dearer plan adds its difference.
 */
function judgeMost(plan: PaidPlan, { rows }: Replayed, sold: Sold): string[] {
  const paid: SoldPlan[] = plan.invoices.flatMap(({ lines }) =>
    lines.flatMap(({ price }) => findPlan(price, sold)?.plan ?? []),
  );
  const most = Math.max(0, ...paid.map(({ credits }) => credits));
  const isWhole = plan.invoices.every(({ hasReturns }) => !hasReturns);
  const brought = new Map<string, number>();
  for (const { type, source, amount } of rows.values()) {
    const [, month] = source.split(`:${plan.id}:`);
    if (type !== "grant" || month === undefined) continue;
    // A difference has the name of its month, and its plan's behind it.
    const name = isWhole ? month.slice(0, ISO_LENGTH) : source;
    brought.set(name, (brought.get(name) ?? 0) + amount);
  }
  return [...brought]
    .filter(([, credits]) => credits > most)
    .map(([name, credits]) => `plan ${plan.id}: ${name} brought ${credits}, not ${most} at most`);
}

const ISO_LENGTH = new Date(0).toISOString().length;

/** Each month that has begun and was paid for is granted once, and holds what was neither spent nor given back. */
function judgeMonths(
  plan: PaidPlan,
  { now, sold, provider }: Evidence,
  replayed: Replayed,
): string[] {
  const own = `subscription:${provider}:${plan.id}:`;
  const months = plan.invoices.flatMap((invoice) => monthsOf(own, invoice, sold));
  const known = new Set(months.map(({ source }) => source));
  const strange = [...replayed.rows.keys()]
    .filter((source) => source.startsWith(own))
    .filter((source) => !known.has(source))
    .map((source) => `nobody paid for the month ${source}`);
  const wrong = months.flatMap((month) => {
    const grant = replayed.rows.get(month.source);
    if (month.startsAt > now) return grant ? [`${month.source} was granted before its time`] : [];
    // A plan that has ended, or isn't paid any more, may have been that before this month was told of.
    if (plan.status !== "active" && !grant) return [];
    return month.endsAt > now ? judgeRunning(month, replayed) : judgePast(month, replayed);
  });
  return [...strange, ...wrong];
}

function monthsOf(own: string, invoice: PaidInvoice, sold: Sold): Month[] {
  return invoice.lines.flatMap(({ price, start, end }) => {
    const credits = findPlan(price, sold)?.plan.credits;
    if (credits === undefined) return [];
    const isBoundary = (at: Date) => at.getTime() <= end.getTime() - NO_BOUNDARY_MS;
    const months: Month[] = [];
    for (let nth = 0; nth === 0 || isBoundary(monthsAfter(start, nth)); nth += 1) {
      const startsAt = monthsAfter(start, nth);
      const next = monthsAfter(start, nth + 1);
      const source = own + startsAt.toISOString();
      months.push({ source, startsAt, endsAt: isBoundary(next) ? next : end, credits, invoice });
    }
    return months;
  });
}

function judgePast({ source, credits, invoice, endsAt }: Month, { rows }: Replayed): string[] {
  const grant = rows.get(source);
  const brought = grant?.amount ?? 0;
  // Money that went back may have lowered it, or come back too late for it.
  const isRight = !invoice.hasReturns ? brought === credits : brought <= credits;
  return [
    ...(isRight ? [] : [`${source} brought ${brought}, and ${credits} were paid for`]),
    ...(grant ? judgeEnd(grant, endsAt, rows) : []),
  ];
}

/** A month's credits end with it, or a day after the first that came back to them after their end. */
function judgeEnd(grant: LedgerRow, endsAt: Date, rows: Replayed["rows"]): string[] {
  const [revival] = [...rows.values()].filter(
    ({ type, at, moved }) =>
      type === "refund" && at >= endsAt && moved.some(({ lot }) => lot === grant.id),
  );
  const wanted = revival ? revival.at.getTime() + REVIVED_MS : endsAt.getTime();
  const isRight = Math.abs((grant.expiresAt?.getTime() ?? 0) - wanted) < 1_000;
  const day = new Date(wanted).toISOString();
  return isRight ? [] : [`${grant.source} ends ${grant.expiresAt?.toISOString()}, not ${day}`];
}

function judgeRunning(month: Month, { rows, lots }: Replayed): string[] {
  const { source, startsAt, endsAt, credits, invoice } = month;
  const grant = rows.get(source);
  const left = credits - portion(credits, invoice.away, invoice.amount);
  if (!grant) return left > 0 ? [`${source} has begun, and brought nothing`] : [];
  const own = lots.filter(
    ({ id, reference, expiresAt }) =>
      id === grant.id ||
      (reference === grant.reference &&
        expiresAt !== null &&
        expiresAt > startsAt.getTime() &&
        expiresAt <= endsAt.getTime()),
  );
  const held = sum(own.map((lot) => lot.left));
  const spent = sum(own.map((lot) => lot.spent));
  const wanted = Math.max(0, left - spent);
  const facts = `${invoice.away} of ${invoice.amount} are away, ${spent} of ${credits} credits were spent`;
  return [
    ...(held === wanted ? [] : [`${source}: ${facts}, and its lots hold ${held}, not ${wanted}`]),
    ...(grant.expiresAt?.getTime() === endsAt.getTime()
      ? []
      : [`${source} ends ${grant.expiresAt?.toISOString()}, not ${endsAt.toISOString()}`]),
  ];
}
