import type { Person } from "../act/person";
import type { Evidence } from "./evidence";
import type { StoredRun } from "./read-account";

const sum = (runs: readonly StoredRun[]) => runs.reduce((total, { charged }) => total + charged, 0);

/** Runs are of the month in which they began, in UTC. */
const monthOf = ({ at }: StoredRun) => at.toISOString().slice(0, 7);

/** No month's runs cost more than the limit that stood while they began, however many began at once. */
export function judgeLimits({ person, stored }: Evidence): string[] {
  return [...new Set(stored.runs.map(monthOf))].flatMap((month) => {
    const runs = stored.runs.filter((run) => monthOf(run) === month);
    return [
      ...judgeAccount(person, month, runs),
      ...stored.keys.flatMap((key) => judgeKey(person, key, month, runs)),
    ];
  });
}

function judgeAccount({ limits }: Person, month: string, runs: readonly StoredRun[]): string[] {
  return limits.flatMap(({ credits, from }, place) => {
    const until = limits[place + 1]?.from ?? Number.POSITIVE_INFINITY;
    const before = sum(runs.filter(({ at }) => at.getTime() < from));
    const after = sum(runs.filter(({ at }) => at.getTime() < until));
    // A limit may be set below what was used; then nothing may begin.
    if (credits === null || after <= Math.max(credits, before)) return [];
    return [`the runs of ${month} cost ${after}, and the account's limit was ${credits}`];
  });
}

function judgeKey(
  { keys }: Person,
  key: { id: string; name: string },
  month: string,
  runs: readonly StoredRun[],
): string[] {
  const limit = keys.find(({ name }) => name === key.name)?.limit ?? null;
  const used = sum(runs.filter(({ keyId }) => keyId === key.id));
  if (limit === null || used <= limit) return [];
  return [`the runs of ${month} by the key "${key.name}" cost ${used}, and its limit is ${limit}`];
}
