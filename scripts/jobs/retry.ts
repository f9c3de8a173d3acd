import { retryFailedJobs, retryJob } from "~/models/admin/work-actions.server";
import { isUuid } from "~/utils/uuid";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const retry: Subcommand = {
  summary: "do jobs again",
  run: (args) =>
    runCommand(
      {
        name: "jobs retry",
        usage: `Has one job done now that failed, was cancelled or waits, or with --all-failed all that failed. A running
worker takes it within seconds. Kinds without retries are left alone. Nothing is charged twice: a run or top-up that has ended stays as it is.
Logs the change on standard error.`,
        positionals: ["id?"],
        options: { "all-failed": { type: "boolean", help: "all that failed" } },
        async run({ values, positionals: [id], print }) {
          const all = values["all-failed"] === true;
          if (all && id !== undefined) throw new UsageError("--all-failed takes no id");
          if (!all && id === undefined) throw new UsageError("give an id or --all-failed");
          if (id !== undefined && !isUuid(id)) throw new UsageError(`'${id}' is not an id`);
          const count = await withDatabase(async (db) => {
            const actor = operatorActor();
            if (id === undefined) return retryFailedJobs({ actor }, db);
            return Number(await retryJob({ actor, id }, db));
          });
          operatorEvent("jobs retry", { ...(id ? { jobId: id } : { scope: "failed" }), count });
          if (id !== undefined && count === 0)
            throw new Error("there is no such job, or it runs, is done, or must not be repeated");
          print(`jobs to be done now: ${count}`);
          return 0;
        },
      },
      args,
    ),
};
