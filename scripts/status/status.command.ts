import { getEnv } from "~/env.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { describeError } from "~/utils/describe-error";
import { runCommand } from "../lib/command";
import { withDatabase } from "../lib/with-database";
import type { Answer } from "./answer";
import {
  answerBackups,
  answerFigures,
  answerImages,
  answerOperators,
  answerProcesses,
  answerRuns,
  answerScheduler,
  answerWaiting,
  askFacts,
} from "./database-answers";
import { answerFromMetrics } from "./metrics-answers";
import { parseMetrics, type Sample } from "./read-metrics";

const TIMEOUT_MS = 5_000;

await runCommand({
  name: "status",
  usage: `Answers on one screen what an operator asks at night: does the scheduler run, what waits and since when, which
provider fails, when was the last backup, what runs where. Reads the database, and the server's /metrics where
METRICS_SECRET is set; changes nothing. Exit code 0: nothing is overdue. 1: something is, and its line says what to do.`,
  options: {
    json: { type: "boolean", help: "print one JSON object" },
    url: {
      type: "string",
      value: "address",
      help: "the server to ask for its metrics (default: PORT on this machine)",
    },
  },
  async run({ values, print }) {
    const { metricsSecret, port } = getEnv();
    const base = values.url ?? `http://127.0.0.1:${port}`;
    const [answers, metrics] = await Promise.all([
      withDatabase(askDatabase),
      askServer(base, metricsSecret),
    ]);
    const [scheduler, runs, waiting, ...rest] = answers;
    const all = [scheduler, runs, waiting, ...metrics, ...rest].filter((answer) => !!answer);
    const problems = all.flatMap((answer) => answer.problems);
    if (values.json)
      print(
        JSON.stringify({
          ok: problems.length === 0,
          problems,
          ...Object.fromEntries(all.map(({ id, facts }) => [id, facts])),
        }),
      );
    else for (const line of format(all)) print(line);
    return problems.length === 0 ? 0 : 1;
  },
});

/** One after another: the command has few connections, and the server needs its own. */
async function askDatabase(db: Parameters<typeof askFacts>[0]): Promise<Answer[]> {
  const facts = await askFacts(db);
  return [
    await answerScheduler(db, facts),
    answerRuns(facts),
    await answerWaiting(db, facts),
    answerBackups(facts),
    await answerFigures(db, facts),
    await answerProcesses(db),
    await answerImages(db),
    await answerOperators(db),
  ];
}

async function askServer(base: string, secret: string | null): Promise<Answer[]> {
  if (secret === null)
    return answerFromMetrics(null, "Only the server knows: set METRICS_SECRET on it and here.");
  try {
    return answerFromMetrics(await scrape(base, secret), "");
  } catch (error) {
    return answerFromMetrics(null, `${base} gave no metrics: ${describeError(error)}.`);
  }
}

async function scrape(base: string, secret: string): Promise<Sample[]> {
  allowAddresses({ site: [base] });
  const response = await outgoingFetch("site")(new URL("/metrics", base), {
    headers: { Authorization: `Bearer ${secret}` },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return parseMetrics(await response.text());
}

function format(answers: Answer[]): string[] {
  const lines = answers.flatMap(({ title, lines, problems }, at) => [
    `${String(at + 1).padStart(2)}. ${title}`,
    ...problems.map((problem) => `    !! ${problem}.`),
    ...lines.map((line) => `    ${line}`),
  ]);
  const count = answers.reduce((sum, { problems }) => sum + problems.length, 0);
  return [...lines, count === 0 ? "Nothing is overdue." : `${count} of these need somebody (!!).`];
}
