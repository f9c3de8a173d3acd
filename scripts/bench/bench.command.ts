import { runCommand, UsageError } from "../lib/command";
import type { Bench, Figure } from "./bench";
import { withBenchServer } from "./bench-server";
import { dueBench } from "./due.bench";
import { grantsBench } from "./grants.bench";
import { memoryBench } from "./memory.bench";
import { reportFigures } from "./report";
import { spendsBench } from "./spend.bench";

const BENCHES: Record<string, Bench> = {
  spends: spendsBench,
  grants: grantsBench,
  due: dueBench,
  memory: memoryBench,
};

const list = Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`);

await runCommand({
  name: "bench",
  usage: `Measures what must stay fast. Compares each with a baseline in the same run, and the ratio with a
goal. Takes about six minutes on two shared cores. Exit code 0: every goal was met. 1: one was missed.
docs/performance.md explains the figures.

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
  },
  async run({ values, positionals, print }) {
    const scale = readScale(values.scale);
    const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
    const chosen = names.map((name) => ({ name, bench: requireBench(name) }));
    const figures = new Map<string, Figure[]>();
    await withBenchServer({ adminUrl: values.server, onProgress: print }, async (server) => {
      for (const { name, bench } of chosen) {
        const started = performance.now();
        print(`${name}: ${bench.summary}`);
        const onProgress = (line: string) =>
          print(`  ${Math.round((performance.now() - started) / 1000)} s: ${line}`);
        const scaled = (count: number, least = 1) => Math.max(least, Math.round(count * scale));
        figures.set(name, await bench.run({ server, scaled, onProgress }));
      }
    });
    const { lines, ok } = reportFigures(figures);
    for (const line of ["", ...lines]) print(line);
    return ok ? 0 : 1;
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
