import { signOutAll, signOutUser } from "~/models/admin/account-actions.server";
import { securityEvent } from "~/utils/security-event.server";
import { requireUserId } from "../ledger/require-user-id";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const signOut: Subcommand = {
  summary: "end the sessions of one user or of all",
  run: (args) =>
    runCommand(
      {
        name: "users sign-out",
        usage: `Ends every session of the user with this address, or with --all every session of all users, and voids
their mailed links that sign in. They can sign in again with their password: "users disable" keeps them
out. Logs the change on standard error.`,
        positionals: ["email?"],
        options: { all: { type: "boolean", help: "all users, for instance after a leak" } },
        async run({ values, positionals: [email], print }) {
          if (values.all && email !== undefined)
            throw new UsageError("--all takes no email address");
          if (!values.all && email === undefined)
            throw new UsageError("give an email address or --all");
          const { userId, count } = await withDatabase(async (db) => {
            const actor = operatorActor();
            if (email === undefined)
              return { userId: undefined, count: await signOutAll({ actor }, db) };
            const userId = await requireUserId(email, db);
            return { userId, count: await signOutUser({ actor, userId }, db) };
          });
          operatorEvent("users sign-out", {
            ...(userId ? { userId } : { scope: "everybody" }),
            count,
          });
          const reason = "by_operator";
          securityEvent("sessions_ended", {
            outcome: "success",
            userId,
            reason,
            details: { count },
          });
          print(`sessions ended: ${count}`);
          return 0;
        },
      },
      args,
    ),
};
