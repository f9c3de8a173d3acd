import { enableUser } from "~/models/admin/account-actions.server";
import { securityEvent } from "~/utils/security-event.server";
import { requireUserId } from "../ledger/require-user-id";
import { runCommand } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const enable: Subcommand = {
  summary: "let a disabled user sign in again",
  run: (args) =>
    runCommand(
      {
        name: "users enable",
        usage: `Lets the user with this address sign in again, with the account's current password. Logs the change
on standard error.`,
        positionals: ["email"],
        async run({ positionals: [email = ""], print }) {
          const { userId, status } = await withDatabase(async (db) => {
            const userId = await requireUserId(email, db);
            return { userId, ...(await enableUser({ actor: operatorActor(), userId }, db)) };
          });
          if (status === "not_disabled") {
            print("the account is not disabled: nothing was changed");
            return 0;
          }
          operatorEvent("users enable", { userId });
          securityEvent("account_enabled", { outcome: "success", userId });
          print("enabled");
          return 0;
        },
      },
      args,
    ),
};
