import { listJobs, type StoredJob } from "~/models/jobs/listing.server";
import { isUuid } from "~/utils/uuid";
import { runCommand, UsageError } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";

export const show: Subcommand = {
  summary: "print one job",
  run: (args) =>
    runCommand(
      {
        name: "jobs show",
        usage: `Prints one job: what it is about, when it was tried and why its last attempt failed. Its log lines have
its id as \`requestId\`.`,
        positionals: ["id"],
        options: { json: { type: "boolean", help: "print one JSON object" } },
        async run({ values, positionals: [id], print }) {
          if (id === undefined || !isUuid(id)) throw new UsageError(`'${id}' is not an id`);
          const filter = { name: null, state: null, id, limit: 1 };
          const [job] = await withDatabase((db) => listJobs(filter, db));
          if (!job) throw new Error("there is no such job; ended ones are kept for three days");
          if (values.json) print(JSON.stringify(job));
          else for (const line of textTable(rows(job))) print(line);
          return 0;
        },
      },
      args,
    ),
};

const rows = (job: StoredJob): string[][] => [
  ["id", job.id],
  ["kind", job.name],
  ...Object.entries(job.data),
  ["state", job.state],
  ["tries", `${job.attempts}`],
  ["added", job.createdAt.toISOString()],
  ["last try", job.startedAt?.toISOString() ?? "-"],
  ["next try", job.startsAt?.toISOString() ?? "-"],
  ["ended", job.endedAt?.toISOString() ?? "-"],
  ["error", job.error ?? "-"],
];
