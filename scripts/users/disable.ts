import { disableUser } from "~/models/admin/account-actions.server";
import { securityEvent } from "~/utils/security-event.server";
import { requireUserId } from "../ledger/require-user-id";
import { runCommand } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const disable: Subcommand = {
  summary: "sign a user out and block their account",
  run: (args) =>
    runCommand(
      {
        name: "users disable",
        usage: `Disables the account with this address: its sessions end at once, and nobody can sign in to it until
"users enable", even with a new password. Credits, files and plans stay, and a plan is still charged:
cancel it at the provider to stop that. Logs the change on standard error.`,
        positionals: ["email"],
        async run({ positionals: [email = ""], print }) {
          const { userId, status, sessionsEnded } = await withDatabase(async (db) => {
            const userId = await requireUserId(email, db);
            return { userId, ...(await disableUser({ actor: operatorActor(), userId }, db)) };
          });
          if (status === "already_disabled") {
            print("the account is disabled already: nothing was changed");
            return 0;
          }
          operatorEvent("users disable", { userId });
          securityEvent("account_disabled", {
            outcome: "success",
            userId,
            details: { sessionsEnded },
          });
          print(`disabled, sessions ended: ${sessionsEnded}`);
          return 0;
        },
      },
      args,
    ),
};
