import { JOB_NAMES } from "~/models/jobs/job-kinds";
import { JOB_STATES, listJobs, type StoredJob } from "~/models/jobs/listing.server";
import { runCommand, UsageError } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";

const MOST = 1000;
/** Maximum characters of an error in the table; `show` prints all of it. */
const ERROR_WIDTH = 60;

export const list: Subcommand = {
  summary: "print the newest jobs",
  run: (args) =>
    runCommand(
      {
        name: "jobs list",
        usage: `Prints the newest jobs of background work, and changes nothing. Ended ones are kept for three days.`,
        options: {
          kind: { type: "string", value: JOB_NAMES.join("|"), help: "only these" },
          state: { type: "string", value: JOB_STATES.join("|"), help: "only these" },
          limit: { type: "string", value: "rows", default: "20", help: `how many, up to ${MOST}` },
          json: { type: "boolean", help: "print one JSON object" },
        },
        async run({ values, print }) {
          const name = oneOf("kind", JOB_NAMES, values.kind);
          const state = oneOf("state", JOB_STATES, values.state);
          const limit = parseLimit(values.limit);
          const jobs = await withDatabase((db) => listJobs({ name, state, id: null, limit }, db));
          if (values.json) print(JSON.stringify({ jobs }));
          else if (jobs.length === 0) print("no jobs");
          else for (const line of textTable([HEAD, ...jobs.map(cells)])) print(line);
          return 0;
        },
      },
      args,
    ),
};

function oneOf<T extends string>(
  option: string,
  known: readonly T[],
  text: string | undefined,
): T | null {
  if (text === undefined) return null;
  const found = known.find((one) => one === text);
  if (!found) throw new UsageError(`--${option} takes ${known.join(", ")}, not '${text}'`);
  return found;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MOST)
    throw new UsageError(`--limit takes a number from 1 to ${MOST}, not '${text}'`);
  return limit;
}

const HEAD = ["id", "kind", "state", "tries", "added", "next try", "error"];
const cells = ({ id, name, state, attempts, createdAt, startsAt, error }: StoredJob) => [
  id,
  name,
  state,
  `${attempts}`,
  createdAt.toISOString(),
  startsAt?.toISOString() ?? "-",
  error && error.length > ERROR_WIDTH ? `${error.slice(0, ERROR_WIDTH - 1)}…` : (error ?? ""),
];
