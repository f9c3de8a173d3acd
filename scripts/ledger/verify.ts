import type { LedgerFault } from "~/models/credits/rule-set";
import { listFigureFaults } from "~/models/figures/figure-days.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { runCommand } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

const ACCOUNTS_PER_PROGRESS_LINE = 10_000;

export const verify: Subcommand = {
  summary: "check that every balance adds up",
  run: (args) =>
    runCommand(
      {
        name: "ledger verify",
        usage: `Checks every invariant of the ledger in one snapshot, then the summed days of the figures against the ledger's
rows, and changes nothing: safe on a live database. Prints a line for each fault. Exit code 0: no faults. 1: there are faults, or the check failed.`,
        async run({ print, warn }) {
          const { accounts, faults, figureFaults } = await withDatabase(async (db) => {
            const audit = await auditLedger(
              {
                onFault: (fault) => print(describeFault(fault)),
                onProgress: (checked) => {
                  if (checked % ACCOUNTS_PER_PROGRESS_LINE === 0)
                    warn(`${checked} accounts checked`);
                },
              },
              db,
            );
            let figureFaults = 0;
            await listFigureFaults(({ day, table, rows }) => {
              figureFaults += 1;
              print(
                `figures  ${day}  ${table}: ${rows} rows differ; ledger sum --from ${day} --to ${day}`,
              );
            }, db);
            return { ...audit, figureFaults };
          });
          const all = faults + figureFaults;
          print(`${accounts} accounts checked, ${all === 0 ? "no faults" : `faults: ${all}`}`);
          return all === 0 ? 0 : 1;
        },
      },
      args,
    ),
};

/** One line for a fault: its rule, user, row and numbers. */
export function describeFault({ rule, userId, transactionId, detail }: LedgerFault): string {
  return [rule, `user ${userId}`, ...(transactionId ? [`row ${transactionId}`] : []), detail].join(
    "  ",
  );
}
