import { getBalance } from "~/models/credits/balance.server";
import { listTransactions } from "~/models/credits/story.server";
import { type CreditTransaction, listLots } from "~/models/credits/transactions.server";
import { runCommand } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";
import { requireUserId } from "./require-user-id";

export const show: Subcommand = {
  summary: "print a user's balance, lots and newest rows",
  run: (args) =>
    runCommand(
      {
        name: "ledger show",
        usage:
          "Prints what a user can spend, the lots that hold it in burn order, and their newest rows.",
        positionals: ["email|id"],
        async run({ positionals: [email = ""], print }) {
          const { balance, lots, transactions } = await withDatabase(async (db) => {
            const userId = await requireUserId(email, db);
            return {
              balance: await getBalance(userId, db),
              lots: await listLots(userId, db),
              ...(await listTransactions({ userId, cursor: null }, db)),
            };
          });
          print(`balance ${balance}`);
          for (const line of textTable([LOT_HEAD, ...lots.map(lotCells)])) print(line);
          print("");
          for (const line of textTable([ROW_HEAD, ...transactions.map(rowCells)])) print(line);
          return 0;
        },
      },
      args,
    ),
};

const LOT_HEAD = ["lot", "left", "of", "until", "source"];
const lotCells = ({ id, remaining, amount, expiresAt, source }: CreditTransaction) => [
  id,
  `${remaining}`,
  `${amount}`,
  expiresAt?.toISOString() ?? "for ever",
  source,
];

const ROW_HEAD = ["row", "written", "type", "amount", "balance", "source", "description"];
const rowCells = (row: CreditTransaction) => [
  row.id,
  row.createdAt.toISOString(),
  row.type,
  `${row.amount > 0 ? "+" : ""}${row.amount}`,
  `${row.balanceAfter}`,
  row.source,
  row.description ?? "",
];
