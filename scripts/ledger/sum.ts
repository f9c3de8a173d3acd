import { makeFigureDays, markDaysDue } from "~/models/figures/figure-days.server";
import { isDay } from "~/utils/is-day";
import { runCommand, UsageError } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

const EVER = { from: "2000-01-01", to: "2999-12-31" };

export const sum: Subcommand = {
  summary: "sum up the days of the figures, or do it again",
  run: (args) =>
    runCommand(
      {
        name: "ledger sum",
        usage: `Sums up every day that is due, for the figures on the admin pages; maintenance does a month of days at a time.
With --from, days are summed again that were summed before: where ledger verify names one. Safe on a live database.`,
        options: {
          from: { type: "string", value: "yyyy-mm-dd", help: "the first day to sum again" },
          to: { type: "string", value: "yyyy-mm-dd", help: "the last one (default: the newest)" },
        },
        async run({ values, print, warn }) {
          const first = parseDay("from", values.from ?? EVER.from);
          const last = parseDay("to", values.to ?? EVER.to);
          if (values.to !== undefined && values.from === undefined)
            throw new UsageError("--to needs --from");
          const days = await withDatabase(async (db) => {
            if (values.from !== undefined) await markDaysDue({ first, last }, db);
            const onDay = (day: string) => warn(`${day} is summed up`);
            return makeFigureDays({ limit: Number.POSITIVE_INFINITY, onDay }, db);
          });
          print(`${days} days summed up`);
          return 0;
        },
      },
      args,
    ),
};

function parseDay(flag: string, text: string): string {
  if (!isDay(text)) throw new UsageError(`--${flag} takes a day such as 2026-10-31, not '${text}'`);
  return text;
}
