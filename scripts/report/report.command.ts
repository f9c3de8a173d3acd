import { isLedgerClosed } from "~/models/figures/ledger-writers.server";
import { reportMonth } from "~/models/figures/month-report.server";
import { parseMonth } from "~/models/figures/months";
import { runCommand, UsageError } from "../lib/command";
import { withDatabase } from "../lib/with-database";
import { FORMATS, linesOf } from "./report-lines";

/** Milliseconds to wait for transactions that still write rows of the month. */
const PATIENCE_MS = 30_000;

await runCommand({
  name: "report",
  usage: `Prints a month (UTC) for the accountant: how credits came and went, what was paid for each product less
what went back, and what the outstanding credits are worth. Changes nothing. docs/credits.md says which rows each
figure is made of. Exit code 1: the figures contradict each other, and the differences are printed instead.`,
  options: {
    month: { type: "string", value: "yyyy-mm", help: "the month, which must be over" },
    format: { type: "string", value: FORMATS.join("|"), default: "text", help: "how to print it" },
  },
  async run({ values, print, warn }) {
    const month = parseMonth(values.month ?? "");
    if (!month)
      throw new UsageError(`--month takes a month such as 2026-10, not '${values.month ?? ""}'`);
    const format = FORMATS.find((known) => known === values.format);
    if (!format)
      throw new UsageError(`--format takes ${FORMATS.join(", ")}, not '${values.format}'`);
    const report = await withDatabase(async (db) => {
      if (!(await isLedgerClosed({ end: month.to, patience: PATIENCE_MS }, db)))
        throw new Error(`${month.name} isn't over, or its last rows are still being written`);
      return reportMonth(month, db);
    });
    if (report.differences.length > 0) {
      for (const difference of report.differences) warn(difference);
      throw new Error(
        `${month.name} doesn't add up: npm run ledger -- verify names the accounts, docs/credits.md says what to do`,
      );
    }
    for (const line of linesOf(report, format)) print(line);
    return 0;
  },
});
