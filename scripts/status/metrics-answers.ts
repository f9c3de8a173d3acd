import { type Answer, ago } from "./answer";
import { groupBy, type Sample, sumOf } from "./read-metrics";

/** Questions whose answers only the running server knows. */
export function answerFromMetrics(samples: Sample[] | null, reason: string): Answer[] {
  return QUESTIONS.map(({ id, title, answer }) =>
    samples
      ? { id, title, ...answer(samples) }
      : { id, title, lines: [reason], problems: [], facts: {} },
  );
}

interface Question {
  id: string;
  title: string;
  answer(samples: Sample[]): Omit<Answer, "id" | "title">;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const FAILING_SHARE = 0.02;
const MOST_NAMED = 5;

const QUESTIONS: Question[] = [
  {
    id: "requests",
    title: "Do requests fail, and which are slow?",
    answer(samples) {
      const name = "rcs_http_requests_total";
      const all = sumOf(samples, name);
      const failed = samples
        .filter((sample) => sample.name === name && /^5/.test(sample.labels.status ?? ""))
        .reduce((sum, { value }) => sum + value, 0);
      const share = all > 0 ? failed / all : 0;
      const slowest = slowestRoutes(samples).slice(0, MOST_NAMED);
      const since = new Date(sumOf(samples, "rcs_started_timestamp_seconds") * 1_000);
      return {
        lines: [
          `${all.toLocaleString("en")} requests since the last start ${ago(since)}, of which ${failed.toLocaleString("en")} failed (${percent(share)}).`,
          ...slowest.map(({ route, p95 }) => `${route}: 95 of 100 within ${p95} s.`),
        ],
        problems:
          share > FAILING_SHARE
            ? [`${percent(share)} of all requests failed: docs/incidents/errors.md`]
            : [],
        facts: { requests: all, failed, slowest },
      };
    },
  },
  {
    id: "providers",
    title: "Which provider serves, and which fails?",
    answer(samples) {
      const calls = samples.filter(({ name }) => name === "rcs_provider_calls_total");
      const byProvider = groupBy(calls, ({ labels }) => `${labels.action} ${labels.provider}`);
      const lines = byProvider.map(
        ([provider, outcomes]) =>
          `${provider}: ${outcomes.map(({ labels, value }) => `${value} ${labels.outcome}`).join(", ")}.`,
      );
      return {
        lines: lines.length > 0 ? lines : ["No provider was called since the last start."],
        problems: [],
        facts: { calls: calls.map(({ labels, value }) => ({ ...labels, calls: value })) },
      };
    },
  },
  {
    id: "load",
    title: "Is the pool full, does the event loop lag?",
    answer(samples) {
      const pool = (state: string) => sumOf(samples, `rcs_database_pool_${state}`);
      const delay = sumOf(samples, "rcs_event_loop_delay_p99_seconds");
      const memory = Math.round(sumOf(samples, "rcs_resident_memory_bytes") / 1e6);
      const silent = sumOf(samples, "rcs_processes_silent");
      const problems = [];
      if (silent > 0)
        problems.push(`${silent} processes gave no numbers: docs/incidents/server-down.md`);
      if (pool("waiting") > 0)
        problems.push(
          `${pool("waiting")} statements wait for a connection: docs/incidents/slow.md`,
        );
      return {
        lines: [
          `${pool("open")} of ${pool("limit")} database connections are open, ${pool("idle")} of them idle; ${pool("waiting")} statements wait.`,
          `The event loop was late by less than ${delay.toFixed(3)} s, 99 of 100 times; ${memory} MB of memory.`,
        ],
        problems,
        facts: {
          open: pool("open"),
          idle: pool("idle"),
          waiting: pool("waiting"),
          limit: pool("limit"),
          delaySeconds: delay,
          memoryMegabytes: memory,
          silent,
        },
      };
    },
  },
];

interface SlowRoute {
  route: string;
  /** The bucket's bound, in seconds. */
  p95: string;
}

/** The routes whose 95th percentile lies in the highest bucket, the slowest first. */
function slowestRoutes(samples: Sample[]): SlowRoute[] {
  const buckets = samples.filter(({ name }) => name === "rcs_http_request_duration_seconds_bucket");
  return groupBy(buckets, ({ labels }) => labels.route ?? "")
    .map(([route, own]) => {
      const all = own.find(({ labels }) => labels.le === "+Inf")?.value ?? 0;
      const p95 = own
        .filter(({ value }) => value >= all * 0.95)
        .map(({ labels }) => Number(labels.le))
        .reduce((least, bound) => Math.min(least, bound), Number.POSITIVE_INFINITY);
      return { route, p95 };
    })
    .sort((one, other) => other.p95 - one.p95)
    .map(({ route, p95 }) => ({ route, p95: Number.isFinite(p95) ? `${p95}` : "over 120" }));
}
