import { checkBuild } from "../../scripts/lib/build-state.mjs";
import { runCommand, UsageError } from "../../scripts/lib/command";
import { torture } from "./torture";

await runCommand({
  name: "test:torture",
  usage: `Runs a whole shop of its own (two servers, a worker, a PostgreSQL, the stand-ins), has random histories happen to it
while processes are killed and connections break, and compares every account with what docs/rules.md says it must have.
Needs a build and nothing else; changes nothing here. Ends with 0 faults, or with the first one and its story, and code 1.`,
  options: {
    minutes: {
      type: "string",
      value: "minutes",
      default: "10",
      help: "how long new histories begin",
    },
    seed: {
      type: "string",
      value: "number",
      help: "repeats a run's histories (default: the time)",
    },
    cycles: {
      type: "string",
      value: "number",
      help: "ends after so many cycles, whatever the time",
    },
    provider: { type: "string", value: "stripe|creem", default: "stripe", help: "who sells" },
    size: { type: "string", value: "small|full", default: "full", help: "how much a cycle does" },
    calm: { type: "boolean", help: "breaks no machine" },
  },
  async run({ values, print, warn }) {
    const build = checkBuild();
    if (build !== "fresh") throw new Error(`The build is ${build}: run \`npm run build\` first.`);
    const { provider, size } = values;
    if (provider !== "stripe" && provider !== "creem")
      throw new UsageError("--provider takes stripe or creem");
    if (size !== "small" && size !== "full") throw new UsageError("--size takes small or full");
    return torture({
      ...{ provider, size, print, warn },
      minutes: numberOf("minutes", values.minutes),
      seed: numberOf("seed", values.seed ?? String(Math.floor(Date.now() / 1_000))),
      cycles:
        values.cycles === undefined ? Number.POSITIVE_INFINITY : numberOf("cycles", values.cycles),
      isCalm: values.calm ?? false,
    });
  },
});

function numberOf(flag: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${flag} takes a number, not '${text}'`);
  return Number(text);
}
