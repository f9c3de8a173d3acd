import { type AuditRow, readAuditRows } from "~/models/audit/audit-rows.server";
import { csvLine } from "~/utils/csv.server";
import { requireUserId } from "../ledger/require-user-id";
import { runCommand, UsageError } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const exportRows: Subcommand = {
  summary: "print the rows, oldest first",
  run: (args) =>
    runCommand(
      {
        name: "audit-log export",
        usage: `Prints the rows of the audit log, oldest first, as one JSON object per line, and changes nothing. Reads a page
at a time, so that a long log is safe to print from a live database.`,
        options: {
          user: { type: "string", value: "email|id", help: "only rows about this user" },
          since: { type: "string", value: "date", help: "from 2026-05-01 or 2026-05-01T12:00:00Z" },
          until: { type: "string", value: "date", help: "before this time" },
          csv: { type: "boolean", help: "print CSV" },
        },
        async run({ values, print }) {
          const since = parseTime("since", values.since);
          const until = parseTime("until", values.until);
          await withDatabase(async (db) => {
            const userId = values.user ? await requireUserId(values.user, db) : null;
            if (values.csv) print(lineOf([...COLUMNS]));
            for await (const row of readAuditRows({ userId, since, until }, db)) {
              const fields = { ...row, id: String(row.id) };
              print(
                values.csv
                  ? lineOf(COLUMNS.map((name) => cell(fields[name])))
                  : JSON.stringify(fields),
              );
            }
          });
          return 0;
        },
      },
      args,
    ),
};

const COLUMNS = [
  "id",
  "createdAt",
  "actor",
  "action",
  "subjectUserId",
  "subject",
  "before",
  "after",
  "reason",
  "network",
  "requestId",
] as const satisfies (keyof AuditRow)[];

const lineOf = (cells: (string | null)[]) => csvLine(cells).trimEnd();

function cell(value: AuditRow[(typeof COLUMNS)[number]]): string | null {
  if (value === null || typeof value === "string") return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}

function parseTime(flag: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (!isIso || Number.isNaN(date.getTime()))
    throw new UsageError(`--${flag} takes 2026-05-01 or 2026-05-01T12:00:00Z, not '${text}'`);
  return date;
}
