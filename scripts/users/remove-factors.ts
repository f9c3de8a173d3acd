import { removeUserFactors } from "~/models/admin/account-actions.server";
import { securityEvent } from "~/utils/security-event.server";
import { requireUserId } from "../ledger/require-user-id";
import { runCommand } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const removeFactorsCommand: Subcommand = {
  summary: "help a user who lost their phone and recovery codes",
  run: (args) =>
    runCommand(
      {
        name: "users remove-factors",
        usage: `Removes the authenticator app, recovery codes and passkeys of the user with this address, and ends
their sessions. They sign in with their password alone, or set one by an emailed link. An email tells
them. Make sure first that it is the user who asks: see "Somebody is locked out" in docs/accounts.md.
Needs the server's environment, because of the email. Logs the change on standard error.`,
        positionals: ["email"],
        async run({ positionals: [email = ""], print }) {
          const { userId, totp, passkeys, sessionsEnded } = await withDatabase(async (db) => {
            const userId = await requireUserId(email, db);
            return { userId, ...(await removeUserFactors({ actor: operatorActor(), userId }, db)) };
          });
          if (!totp && passkeys === 0) {
            print("the account has no authenticator app and no passkey: nothing was changed");
            return 0;
          }
          operatorEvent("users remove-factors", { userId, passkeys, sessionsEnded });
          securityEvent("factor_changed", {
            outcome: "success",
            userId,
            reason: "by_operator",
            details: { change: "factors_removed", totp, passkeys, sessionsEnded },
          });
          print(
            `removed: ${totp ? "the authenticator app, " : ""}passkeys: ${passkeys}, sessions ended: ${sessionsEnded}`,
          );
          return 0;
        },
      },
      args,
    ),
};
