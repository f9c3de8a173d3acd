import { describeError } from "~/utils/describe-error";
import { runCommand, UsageError } from "../../lib/command";
import type { Bench, Figure } from "./bench";
import { withBenchServer } from "./bench-server";
import { besideBench } from "./beside.bench";
import { dueBench } from "./due.bench";
import { figuresBench } from "./figures.bench";
import { floodsBench } from "./floods/floods.bench";
import { grantsBench } from "./grants.bench";
import { historyBench } from "./history.bench";
import { limitsBench } from "./limits.bench";
import { memoryBench } from "./memory.bench";
import { meteringBench } from "./metering.bench";
import { pagesBench } from "./pages.bench";
import { paintBench } from "./paint.bench";
import { figuresAsJson, reportFigures } from "./report";
import { requestsMemoryBench } from "./requests-memory.bench";
import { spendsBench } from "./spend.bench";
import { startBench } from "./start.bench";
import { webhookBench } from "./webhook.bench";

const BENCHES: Record<string, Bench> = {
  pages: pagesBench,
  paint: paintBench,
  webhooks: webhookBench,
  spends: spendsBench,
  metering: meteringBench,
  limits: limitsBench,
  history: historyBench,
  grants: grantsBench,
  due: dueBench,
  figures: figuresBench,
  memory: memoryBench,
  requests: requestsMemoryBench,
  start: startBench,
  floods: floodsBench,
  beside: besideBench,
};

const list = Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);

await runCommand({
  name: "bench",
  usage: `Measures what must stay fast. Compares each with a baseline in the same run, and the ratio with a
goal. Needs a build (npm run build). Takes about twenty minutes on two shared cores. Exit code 0: every goal was met. 1: one was missed, or a
bench failed. docs/performance.md explains the figures.

${list.join("\n")}`,
  positionals: [...Object.keys(BENCHES).map(() => "bench?")],
  options: {
    scale: {
      type: "string",
      value: "fraction",
      default: "1",
      help: "fraction of the full size; below 1 is a trial run whose ratios mean little",
    },
    server: {
      type: "string",
      value: "url",
      help: "a PostgreSQL server and a role that can create databases (default: starts its own)",
    },
    beside: {
      type: "string",
      value: "folder",
      help: "a built clone of the project, in whose folder `beside` starts the other server",
    },
    json: {
      type: "boolean",
      help: "prints the figures as JSON on standard output, and progress on standard error",
    },
  },
  async run({ values, positionals, print, warn }) {
    const tell = values.json ? warn : print;
    const scale = readScale(values.scale);
    const all = Object.keys(BENCHES).filter((name) => name !== "beside" || values.beside);
    const names = positionals.length > 0 ? positionals : all;
    if (names.includes("beside") && !values.beside)
      throw new UsageError("the bench 'beside' needs --beside <folder>");
    const chosen = names.map((name) => ({ name, bench: requireBench(name) }));
    const figures = new Map<string, Figure[]>();
    const failed: string[] = [];
    await withBenchServer({ adminUrl: values.server, onProgress: tell }, async (server) => {
      for (const { name, bench } of chosen) {
        const started = performance.now();
        tell(`${name}: ${bench.summary}`);
        const onProgress = (line: string) =>
          tell(`  ${Math.round((performance.now() - started) / 1000)} s: ${line}`);
        const scaled = (count: number, least = 1) => Math.max(least, Math.round(count * scale));
        try {
          figures.set(name, await bench.run({ server, scaled, beside: values.beside, onProgress }));
        } catch (error) {
          // The others took many minutes: their figures count without it.
          onProgress(`failed: ${describeError(error)}`);
          failed.push(name);
        }
      }
    });
    const { lines, ok } = reportFigures(figures);
    for (const line of values.json ? [figuresAsJson(figures)] : ["", ...lines]) print(line);
    if (failed.length > 0) warn(`these benches failed: ${failed.join(", ")}`);
    return ok && failed.length === 0 ? 0 : 1;
  },
});

function readScale(text: string): number {
  const scale = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || scale <= 0 || scale > 1) {
    throw new UsageError(`--scale takes a fraction above 0, up to 1, not '${text}'`);
  }
  return scale;
}

function requireBench(name: string): Bench {
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (!bench) throw new UsageError(`there is no bench '${name}'`);
  return bench;
}
