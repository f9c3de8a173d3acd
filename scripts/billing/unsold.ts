import { listUnsoldLines } from "~/models/billing/subscriptions/unsold-lines.server";
import { formatAmount } from "~/utils/money";
import { runCommand } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const unsold: Subcommand = {
  summary: "list invoice lines that the catalog doesn't sell",
  run: (args) =>
    runCommand(
      {
        name: "billing unsold",
        usage: `Lists the lines of paid invoices that the catalog doesn't sell, the newest first: when they came, the
provider, subscription, invoice, line, price, amount and time. They brought no credits and changed no paid
period. Changes nothing.`,
        options: {},
        async run({ print }) {
          const lines = await withDatabase(listUnsoldLines);
          for (const line of lines) print(describe(line));
          print(`${lines.length} unsold`);
          return 0;
        },
      },
      args,
    ),
};

function describe(row: Awaited<ReturnType<typeof listUnsoldLines>>[number]): string {
  const { amount, currency, startsAt, endsAt } = row;
  const cost =
    amount !== null && currency !== null
      ? formatAmount({ amount: Number(amount), currency })
      : "no amount";
  const time =
    startsAt && endsAt ? `${startsAt.toISOString()} to ${endsAt.toISOString()}` : "no time";
  const { heardAt, provider, subscription, invoice, line, price } = row;
  return [
    ...[heardAt.toISOString(), provider, subscription, invoice, line],
    ...[price ?? "no price", cost, time],
  ].join("  ");
}
