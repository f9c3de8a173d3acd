import type { LedgerFault } from "~/models/credits/rule-set";
import { auditLedger } from "~/models/upkeep/audit.server";
import { withDatabase } from "../lib/with-database";
import { conclude, fault, pass, skip } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Checks the accounts of this many newest rows. The time grows with all rows of these accounts, not of the ledger. */
const NEWEST_ROWS = 1_000;
const MOST_NAMED = 3;

/** Checks the ledger's rules for recently active accounts; `ledger verify` checks all. */
export function checkLedger({ env: { databaseUrl } }: Configuration): DatabaseCheck {
  const id = "ledger.invariants";
  return {
    id,
    async run(client) {
      if (!databaseUrl || !(await hasTable(client, "credit_allocations")))
        return skip(id, "there is no ledger yet");
      // This table came with columns that the rules read.
      if (!(await hasTable(client, "unsold_lines")))
        return skip(id, "migrations are pending: see database.migrations");
      const named: LedgerFault[] = [];
      const onFault = (one: LedgerFault) => void (named.length < MOST_NAMED && named.push(one));
      const { accounts, faults } = await withDatabase(
        (db) => auditLedger({ newestRows: NEWEST_ROWS, onFault }, db),
        databaseUrl,
      );
      const examples = named.map(
        ({ rule, userId, detail }) => `${rule} of user ${userId}: ${detail}`,
      );
      const finding = fault(
        `the accounts of the newest ${NEWEST_ROWS} rows hold ${faults} faults, such as ${examples.join("; ")}`,
        "run `npm run ledger -- verify` for all of them, and read docs/incidents/credits-disputed.md",
      );
      return conclude(
        id,
        faults > 0 ? [finding] : [],
        pass(
          id,
          accounts === 0
            ? "no user has credits yet"
            : `the ${accounts} accounts that the newest ${NEWEST_ROWS} rows belong to are correct`,
        ),
      );
    },
  };
}
