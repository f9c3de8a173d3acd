import type { Database } from "~/db.server";
import { getEnv } from "~/env.server";
import { replayDelivery } from "~/models/admin/billing-actions.server";
import { listDeadIds } from "~/models/webhooks/listing.server";
import { describeError } from "~/utils/describe-error";
import { logToStandardError } from "~/utils/logger.server";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";
import { requireDelivery } from "./require-delivery";

export const replay: Subcommand = {
  summary: "try deliveries again",
  run: (args) =>
    runCommand(
      {
        name: "webhooks replay",
        usage: `Processes stored deliveries again, as safely as if the provider sent them again: effects they already
had are not repeated. Takes row ids, event ids (evt_…) or dedupe keys. Needs the server's whole
environment, because prices and products say what was bought; the service's log goes to standard error.
Exit code 0: nothing failed. 1: some failed; they are kept and can be replayed again.`,
        positionals: ["id..."],
        options: { "all-dead": { type: "boolean", help: "all dead deliveries, oldest first" } },
        async run({ values, positionals, print }) {
          const references = [...new Set(positionals)];
          if (values["all-dead"] && references.length > 0)
            throw new UsageError("--all-dead takes no ids");
          if (!values["all-dead"] && references.length === 0)
            throw new UsageError("give ids or --all-dead");
          logToStandardError(getEnv().logLevel);
          return withDatabase(async (db) => {
            const ids = values["all-dead"] ? await listDeadIds(db) : await findIds(references, db);
            let failed = 0;
            for (const id of ids) {
              operatorEvent("webhooks replay", { deliveryId: id });
              const { line, isFailure } = await replayOne(id, db);
              print(`${id}  ${line}`);
              if (isFailure) failed += 1;
            }
            if (ids.length === 0) print("nothing to replay");
            if (failed === 0) return 0;
            throw new Error(`${failed} of ${ids.length} failed; webhooks show <id> says more`);
          });
        },
      },
      args,
    ),
};

/** Finds all of them before replaying the first, so that a typo changes nothing. */
async function findIds(references: string[], db: Database): Promise<string[]> {
  const ids = new Set<string>();
  for (const reference of references) ids.add((await requireDelivery(reference, db)).id);
  return [...ids];
}

async function replayOne(id: string, db: Database): Promise<{ line: string; isFailure: boolean }> {
  const result = await replayDelivery({ actor: operatorActor(), id }, db);
  if (!result) {
    const { payloadSize } = await requireDelivery(id, db);
    const line =
      payloadSize === null
        ? "processed long ago, its payload dropped: nothing to replay"
        : "under way elsewhere: nothing was done here";
    return { line, isFailure: false };
  }
  switch (result.status) {
    case "processed":
      return { line: "processed", isFailure: false };
    case "deduped":
      return { line: "taken over by another attempt", isFailure: false };
    case "failed": {
      const { lastError } = await requireDelivery(id, db);
      return { line: `failed: ${describeError(lastError)}`, isFailure: true };
    }
  }
}
