import { repairUser } from "~/models/admin/credit-actions.server";
import type { Correction } from "~/models/credits/repair-plan.server";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent, operatorName } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";
import { requireUserId } from "./require-user-id";
import { describeFault } from "./verify";

export const repair: Subcommand = {
  summary: "bring an account's stored numbers back to its movements",
  run: (args) =>
    runCommand(
      {
        name: "ledger repair",
        usage: `Prints an account's faults, and what would correct them: the balance, what is left of a lot and the
next expiry, from the rows and their allocations. Changes nothing without --apply. With it, each
correction is recorded in credit_repairs. Movements are never changed: if they contradict each other, it
refuses. Exit code 0: the account verifies, or would. 1: it cannot
be repaired.`,
        positionals: ["email|id"],
        options: {
          apply: { type: "boolean", help: "correct them; needs --reason" },
          reason: { type: "string", value: "text", help: "the cause, for the record" },
        },
        async run({ values, positionals: [user = ""], print }) {
          const apply = values.apply === true;
          const reason = values.reason?.trim() ?? "";
          if (apply && !reason) throw new UsageError("--apply needs --reason");
          const { userId, result } = await withDatabase(async (db) => {
            const userId = await requireUserId(user, db);
            const who = { actor: operatorActor(), operator: operatorName() };
            const attempt = { ...who, userId, apply, reason: reason || "not applied" };
            return { userId, result: await repairUser(attempt, db) };
          });
          if (result.status === "sound") {
            print("the account verifies: nothing to repair");
            return 0;
          }
          for (const fault of result.faults) print(describeFault(fault));
          switch (result.status) {
            case "unrepairable":
              throw new Error(
                `the movements themselves are wrong, and ${result.left.length} faults would be left: nothing was changed. Restore a backup (docs/backups.md)`,
              );
            case "repairable":
              for (const correction of result.corrections) print(`would ${describe(correction)}`);
              print("nothing was changed: --apply --reason '…' does this");
              return 0;
            case "repaired":
              operatorEvent("ledger repair", { userId, corrections: result.corrections.length });
              for (const correction of result.corrections) print(`did ${describe(correction)}`);
              print("the account verifies");
              return 0;
          }
        },
      },
      args,
    ),
};

/** Completes a sentence that begins with "would" or "did". */
function describe({ field, transactionId, before, after }: Correction): string {
  const change = `${before ?? "none"} → ${after ?? "none"}`;
  switch (field) {
    case "balance":
      return `set the balance  ${change}`;
    case "next_expiry_at":
      return `set the next expiry  ${change}`;
    case "remaining":
      return `set what is left of lot ${transactionId}  ${change}`;
    case "balance_after":
      return `record the balance after row ${transactionId}  ${change}`;
  }
}
