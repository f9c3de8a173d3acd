import type { Sale } from "../act/person";
import { sum } from "../sum";
import { costOf } from "./cost-of";
import type { Evidence } from "./evidence";
import { judgeLimits } from "./limits";
import { judgePlans, judgePlansNow } from "./plans";
import { portion } from "./portion";
import type { StoredAccount, StoredRun } from "./read-account";
import { type Replayed, replay } from "./replay";
import { judgeTopUps } from "./top-ups";

export interface Verdict {
  /** Spendable credits. */
  spendable: number;
  wrong: string[];
}

/** Everything that is wrong with the account, in sentences; none if nothing is. */
export function judgeAccount(evidence: Evidence): Verdict {
  const { stored, now } = evidence;
  const replayed = replay(stored.rows);
  const lots = replayed.lots.filter(
    ({ expiresAt }) => expiresAt === null || expiresAt > now.getTime(),
  );
  return {
    spendable: sum(lots.map(({ left }) => left)),
    wrong: [
      ...replayed.wrong,
      ...judgeSums(stored, replayed),
      ...judgeEnded(replayed, now),
      ...judgeSources(evidence, replayed),
      ...evidence.person.sales.flatMap((sale) => judgeSale(sale, evidence, replayed)),
      ...judgePlans(evidence, replayed),
      ...judgeTopUps(evidence),
      ...judgeRuns(evidence, replayed),
      ...judgeLimits(evidence),
      ...judgeAdjustments(evidence, replayed),
    ],
  };
}

/** Everything that is wrong with the account's plans, as far as that can be said while other steps are under way. */
export const judgeOwnPlans = (evidence: Evidence): string[] =>
  judgePlansNow(evidence, replay(evidence.stored.rows));

/** Everything that is wrong with the account's sales and plans alone: the rest is judged once nothing is under way. */
export function judgeBought(evidence: Evidence): string[] {
  const replayed = replay(evidence.stored.rows);
  return [
    ...evidence.person.sales.flatMap((sale) => judgeSale(sale, evidence, replayed)),
    ...judgePlansNow(evidence, replayed),
  ];
}

function judgeSums({ rows, balance, months, unsent }: StoredAccount, replayed: Replayed): string[] {
  const wrong: string[] = [];
  if (balance !== replayed.balance)
    wrong.push(`the account holds ${balance}, and its rows come to ${replayed.balance}`);
  for (const row of rows) {
    const lot = replayed.lots.find(({ id }) => id === row.id);
    if (lot && lot.left !== row.remaining)
      wrong.push(
        `lot ${lot.id} (${lot.source}) says ${row.remaining} are left, and ${lot.left} are`,
      );
  }
  for (const { credits, counted } of months)
    if (credits !== counted) wrong.push(`a month counts ${counted}, and its runs cost ${credits}`);
  if (unsent > 0) wrong.push(`${unsent} emails are due and not sent`);
  return wrong;
}

/** Maintenance books the end of a lot within a minute. */
const BOOKED_MS = 60_000;

function judgeEnded({ lots }: Replayed, now: Date): string[] {
  return lots
    .filter(
      ({ expiresAt, left }) =>
        left > 0 && (expiresAt ?? Number.POSITIVE_INFINITY) < now.getTime() - BOOKED_MS,
    )
    .map(({ id, left }) => `lot ${id} has ended, and holds ${left}`);
}

const isOfMonth = (source: string) => /^(subscription|upgrade):/.test(source);
const isOfReturn = (source: string) => /^(reversal|adjustment:returned):/.test(source);

/** Each row needs a fact: a payment, a run, money that went back, an operator, the end of a lot. */
function judgeSources({ person, provider }: Evidence, { rows, lots }: Replayed): string[] {
  const sessions = new Set(person.sales.map(({ sessionId }) => `order:${provider}:${sessionId}`));
  const { plans } = person;
  const keys = new Set(person.adjustments.map(({ key }) => `adjustment:${key}`));
  const isExplained = (source: string) =>
    sessions.has(source) ||
    keys.has(source) ||
    /^(generation|run):/.test(source) ||
    plans.some(({ id }) => source.includes(`:${id}:`) && isOfMonth(source)) ||
    (person.returns.length + plans.length > 0 && isOfReturn(source)) ||
    lots.some(({ id }) => source.startsWith(`expiry:${id}:`));
  return [...rows.keys()]
    .filter((source) => !isExplained(source))
    .map((source) => `nothing explains the row ${source}`);
}

/** A paid pack's lots hold its credits, less those whose money is away and those that were spent; the rest is owed. */
function judgeSale(
  sale: Sale,
  { person, stored, money, provider }: Evidence,
  replayed: Replayed,
): string[] {
  const paid = money.sales.get(sale.sessionId);
  const grant = replayed.rows.get(`order:${provider}:${sale.sessionId}`);
  const order = stored.orders.find(({ checkout }) => checkout === sale.sessionId);
  if (!paid) return [`${sale.sessionId} was paid, and the provider doesn't know it`];
  if (!sale.isTold || sale.isLost) {
    if (!grant) return [];
    if (!sale.mayBeTold) return [`${sale.sessionId} gave credits before anybody told of it`];
  }
  if (!grant || !order) return [`${sale.sessionId} was paid, and gave nothing`];
  if (grant.amount !== sale.credits)
    return [`${sale.sessionId} gave ${grant.amount} credits, and ${sale.credits} were sold`];
  if (grant.expiresAt)
    return [
      `${sale.sessionId} gave credits until ${grant.expiresAt.toISOString()}, and a pack's never end`,
    ];
  // An event that is kept back may tell more of it.
  if (person.held.length > 0 && !person.isCompared) return [];
  const own = replayed.lots.filter(
    ({ id, reference }) => id === grant.id || reference === order.id,
  );
  const held = sum(own.map(({ left }) => left));
  const spent = sum(own.map((lot) => lot.spent));
  const wanted = portion(sale.credits, paid.away, paid.amount);
  const rest = sale.credits - wanted - spent;
  const facts = `${paid.away} of ${paid.amount} are away, ${spent} of ${sale.credits} credits were spent`;
  return [
    ...(held === Math.max(0, rest)
      ? []
      : [`${sale.sessionId}: ${facts}, and its lots hold ${held}, not ${Math.max(0, rest)}`]),
    ...(order.short === Math.max(0, -rest)
      ? []
      : [`${sale.sessionId}: ${facts}, and ${order.short} are owed, not ${Math.max(0, -rest)}`]),
  ];
}

/** Each run is somebody's, has ended as its answer said, and moved what it cost. */
function judgeRuns({ person, stored, sold }: Evidence, replayed: Replayed): string[] {
  const wrong: string[] = [];
  const asked = new Map(person.runs.map((run) => [run.idempotencyKey, run]));
  for (const run of stored.runs) {
    const known = asked.get(run.key ?? "");
    const moved = replayed.runs.get(run.id) ?? 0;
    const name = `run ${run.id} (${run.key})`;
    // Of a deleted account nobody keeps who asked for what.
    if (!known && !person.isGone) wrong.push(`nobody asked for ${name}`);
    if (run.status === "reserved") wrong.push(`${name} is still reserved`);
    if (run.charged > run.reserved) wrong.push(`${name} cost ${run.charged} of ${run.reserved}`);
    if (moved !== (run.status === "reserved" ? run.reserved : run.charged))
      wrong.push(`${name} is ${run.status}, cost ${run.charged}, and moved ${moved}`);
    if (known?.outcome === "charged" && (run.status !== "settled" || run.charged !== known.charged))
      wrong.push(`${name} is ${run.status} for ${run.charged}; its answer said ${known.charged}`);
    if (known?.outcome === "charged" && run.units !== (known.units ?? run.units))
      wrong.push(`${name} used ${run.units}; its answer said ${known.units}`);
    if (known && run.status === "settled")
      wrong.push(...judgeCharge(name, run, costOf(known.action, known.units ?? run.units, sold)));
    if (known?.outcome === "failed" && run.status !== "refunded")
      wrong.push(`${name} is ${run.status}; its answer said that it failed`);
    if (known?.outcome === "refused") wrong.push(`${name} was refused, and is there`);
  }
  const kept = new Set(stored.runs.map(({ key }) => key));
  for (const run of person.runs)
    if (run.outcome === "charged" && !person.isGone && !kept.has(run.idempotencyKey))
      wrong.push(`${run.idempotencyKey} was answered with a result, and there is no run`);
  for (const id of replayed.runs.keys())
    if (!stored.runs.some((run) => run.id === id))
      wrong.push(`run ${id} moved credits, and isn't there`);
  return wrong;
}

/** Returns the price of the used units, and never more than was reserved. */
function judgeCharge(name: string, { charged, reserved }: StoredRun, cost: number): string[] {
  const wanted = Math.min(cost, reserved);
  return charged === wanted ? [] : [`${name} cost ${charged}, and what was used costs ${wanted}`];
}

function judgeAdjustments({ person }: Evidence, { rows }: Replayed): string[] {
  return person.adjustments.flatMap(({ key, credits, outcome }) => {
    const row = rows.get(`adjustment:${key}`);
    if (outcome === "done" && row?.amount !== credits)
      return [`the adjustment ${key} of ${credits} is ${row?.amount ?? "not there"}`];
    if (row?.expiresAt) return [`the adjustment ${key} gave credits that end`];
    return outcome === "refused" && row ? [`the adjustment ${key} was refused, and is there`] : [];
  });
}
