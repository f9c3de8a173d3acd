import { checkBuild } from "../../scripts/lib/build-state.mjs";
import { runCommand, UsageError } from "../../scripts/lib/command";
import { readHistory } from "./history";
import { hunt } from "./mutations/hunt";
import { MUTATIONS } from "./mutations/list";
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
      help: "how long steps are taken; what was played is judged afterwards",
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
    size: {
      type: "string",
      value: "small|middle|full",
      default: "full",
      help: "how much a cycle does",
    },
    calm: { type: "boolean", help: "breaks no machine" },
    shrink: {
      type: "string",
      value: "minutes",
      default: "5",
      help: "how long a history that fails is made shorter; 0: not at all",
    },
    history: {
      type: "string",
      value: "file",
      help: "plays this history, as a run printed it in a test",
    },
    previous: {
      type: "string",
      value: "commit",
      help: "one of the programs is a build of this commit, such as HEAD~1",
    },
    as: {
      type: "string",
      value: "server|worker",
      default: "server",
      help: "which of them, with --previous",
    },
    mutations: {
      type: "boolean",
      help: "puts each known fault into a copy of the code, and looks for it for two minutes",
    },
    only: {
      type: "string",
      value: "text",
      help: "of the mutations those whose name holds this",
    },
  },
  async run({ values, print, warn }) {
    const build = checkBuild();
    if (build !== "fresh") throw new Error(`The build is ${build}: run \`npm run build\` first.`);
    const { provider, size, as: program } = values;
    if (provider !== "stripe" && provider !== "creem")
      throw new UsageError("--provider takes stripe or creem");
    if (size !== "small" && size !== "middle" && size !== "full")
      throw new UsageError("--size takes small, middle or full");
    if (program !== "server" && program !== "worker")
      throw new UsageError("--as takes server or worker");
    if (values.mutations) {
      const mutations = MUTATIONS.filter(({ name }) => name.includes(values.only ?? ""));
      const seed = numberOf("seed", values.seed ?? "33");
      if (mutations.length === 0) throw new UsageError(`no fault's name has "${values.only}"`);
      return hunt({ mutations, seed, print, warn });
    }
    const told = values.history === undefined ? null : await readHistory(values.history);
    return torture({
      ...{ provider: told?.provider ?? provider, history: told?.cycle ?? null, size, print, warn },
      previous: values.previous === undefined ? null : { commit: values.previous, program },
      shrinkMinutes: numberOf("shrink", values.shrink),
      minutes: numberOf("minutes", values.minutes),
      seed: told?.seed ?? numberOf("seed", values.seed ?? String(Math.floor(Date.now() / 1_000))),
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
