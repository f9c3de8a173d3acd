import { retryAllEmails, retryEmail } from "~/models/admin/work-actions.server";
import { isUuid } from "~/utils/uuid";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const retry: Subcommand = {
  summary: "make unsent emails due now",
  run: (args) =>
    runCommand(
      {
        name: "emails retry",
        usage: `Makes one unsent email due now, or with --all those of the last three days, with all their attempts again.
A worker sends them, or the next run of maintenance. A link that would come too late is still not sent. Logs the change on standard error.`,
        positionals: ["id?"],
        options: { all: { type: "boolean", help: "all, for instance after an outage" } },
        async run({ values, positionals: [id], print }) {
          if (values.all && id !== undefined) throw new UsageError("--all takes no id");
          if (!values.all && id === undefined) throw new UsageError("give an id or --all");
          if (id !== undefined && !isUuid(id)) throw new UsageError(`'${id}' is not an id`);
          const count = await withDatabase(async (db) => {
            const actor = operatorActor();
            if (id === undefined) return retryAllEmails({ actor }, db);
            return Number(await retryEmail({ actor, id }, db));
          });
          operatorEvent("emails retry", { ...(id ? { emailId: id } : { scope: "all" }), count });
          if (id !== undefined && count === 0)
            throw new Error("there is no such unsent email, or it is being sent");
          print(`emails due now: ${count}`);
          return 0;
        },
      },
      args,
    ),
};
