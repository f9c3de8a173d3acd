import { adjustUser } from "~/models/admin/credit-actions.server";
import { getBalance } from "~/models/credits/balance.server";
import type { CreditTransaction } from "~/models/credits/transactions.server";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";
import { requireUserId } from "./require-user-id";

export const adjust: Subcommand = {
  summary: "give credits to a user, or take some",
  run: (args) =>
    runCommand(
      {
        name: "ledger adjust",
        usage: `Gives a user credits that never expire (50), or takes credits in burn order (-50): all of them, or
none if the balance is lower. Refuses an account that does not verify. The reason is kept in the ledger, where the user can read it. The same key
again changes nothing, so repeat the command if its outcome is unknown.`,
        positionals: ["email|id", "amount"],
        options: {
          reason: { type: "string", value: "text", help: "why, for the user and for the record" },
          key: {
            type: "string",
            value: "name",
            help: "your name for this adjustment: ticket-1234",
          },
        },
        async run({ values, positionals: [email = "", text = ""], print }) {
          const amount = parseAmount(text);
          const reason = requireText("reason", values.reason);
          const key = requireText("key", values.key);
          const { userId, result, balance } = await withDatabase(async (db) => {
            const userId = await requireUserId(email, db);
            const actor = operatorActor();
            const result = await adjustUser({ actor, userId, amount, key, reason }, db);
            return { userId, result, balance: await getBalance(userId, db) };
          });
          switch (result.status) {
            case "adjusted":
              operatorEvent("ledger adjust", { userId, amount, key });
              print(`row ${result.transactionId}: ${text} credits, balance ${balance}`);
              return 0;
            case "faulty":
              throw new Error(
                `the account does not verify (${result.faults.length} faults), so nothing was changed: run ledger repair ${email} first`,
              );
            case "duplicate":
              requireSame(result.transaction, { userId, amount, key });
              print(`row ${result.transaction.id} is this adjustment: nothing was changed`);
              return 0;
            case "insufficient":
              throw new Error(`the balance is ${result.balance}: nothing was changed`);
          }
        },
      },
      allowNegative(args),
    ),
};

/** `-50` looks like an option; after `--` it is an argument. */
export function allowNegative(args: string[]): string[] {
  const isNegative = (arg: string) => /^-\d+$/.test(arg);
  if (args.includes("--") || !args.some(isNegative)) return args;
  return [...args.filter((arg) => !isNegative(arg)), "--", ...args.filter(isNegative)];
}

function parseAmount(text: string): number {
  if (!/^[+-]?[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`'${text}' is not a number of credits: write 50 or -50`);
  }
  return Number(text);
}

function requireText(flag: string, text: string | undefined): string {
  const trimmed = text?.trim();
  if (!trimmed) throw new UsageError(`--${flag} is missing`);
  return trimmed;
}

function requireSame(
  earlier: CreditTransaction,
  { userId, amount, key }: { userId: string; amount: number; key: string },
): void {
  if (earlier.userId === userId && earlier.amount === amount) return;
  throw new Error(
    `the key '${key}' is row ${earlier.id}'s, of ${earlier.amount} credits for user ${earlier.userId}: take another`,
  );
}
