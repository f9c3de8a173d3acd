import { getRejectionHealth } from "~/models/webhooks/rejections.server";
import { withDatabase } from "../lib/with-database";
import { found, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Finds webhooks that were refused for their signature, by the same rule as /readyz. */
export function checkRejections({ env: { databaseUrl } }: Configuration): DatabaseCheck {
  const id = "payments.rejected-webhooks";
  return {
    id,
    async run(client) {
      if (!databaseUrl || !(await hasTable(client, "webhook_rejections")))
        return skip(id, "there is no table webhook_rejections yet");
      const health = await withDatabase(getRejectionHealth, databaseUrl);
      if (!health.suspicious) return pass(id, "no signature of the provider was refused today");
      const since = health.lastAcceptedAt
        ? `the last one was accepted at ${health.lastAcceptedAt.toISOString()}`
        : "none was ever accepted";
      return found(id, [
        warning(
          `${health.lastDay} webhook deliveries were refused for their signature in 24 hours, and ${since}`,
          "run `npm run webhooks -- list --rejected`, and read docs/incidents/webhooks-failing.md",
        ),
      ]);
    },
  };
}
