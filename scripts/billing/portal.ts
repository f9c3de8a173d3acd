import { getEnv } from "~/env.server";
import { recordPortal } from "~/models/admin/outside-actions.server";
import { refusalOf } from "~/services/payments/payment-faults";
import { savePortalConfiguration } from "~/services/payments/stripe/portal-configuration.server";
import { AppError } from "~/utils/app-error";
import { runCommand } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const portal: Subcommand = {
  summary: "make Stripe's customer portal safe for credits",
  run: (args) =>
    runCommand(
      {
        name: "billing portal",
        usage: `Creates a configuration of Stripe's customer portal for this site, or brings the existing one back to
the safe settings: customers update their cards and details, read invoices, and cancel at the period's end.
Changes of plan and pauses are off, because they pay for unused time whose credits may be spent already. Prints
the variable to set. Creem has no such settings in its API.`,
        options: { json: { type: "boolean", help: "print one JSON object" } },
        async run({ values, print }) {
          const { payments, siteUrl } = getEnv();
          const { secretKey, apiBase, portalConfiguration } = payments.stripe;
          if (!secretKey) throw new Error("PROVIDER_A_SECRET_KEY is not set");
          const { id, status } = await savePortalConfiguration(
            { secretKey, apiBase },
            siteUrl,
          ).catch(explain);
          await withDatabase((db) =>
            recordPortal({ actor: operatorActor(), configuration: id, status }, db),
          );
          operatorEvent("billing portal", { configuration: id, status });
          const isSet = portalConfiguration === id;
          if (values.json) {
            print(JSON.stringify({ id, status, isSet }));
            return 0;
          }
          print(`${status} the portal configuration of ${siteUrl.host}`);
          print(isSet ? "The server uses it already:" : "Set this for the server, and restart it:");
          print(`PROVIDER_A_PORTAL_CONFIGURATION=${id}`);
          return 0;
        },
      },
      args,
    ),
};

/** Shows the provider's own error. The messages that buyers see don't help an operator. */
function explain(error: unknown): never {
  if (error instanceof AppError) throw new Error(refusalOf(error).reason);
  throw error;
}
