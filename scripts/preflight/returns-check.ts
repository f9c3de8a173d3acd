import { MAY_BE_OURS } from "~/models/billing/returns/known-returns.server";
import { conclude, pass, skip, warning } from "./check";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

const MOST_NAMED = 5;

/** Finds refunds and disputes whose payment or share nobody here knows: somebody may still hold its credits. */
export function checkReturns(): DatabaseCheck {
  const id = "payments.returns";
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, "payment_returns")))
        return skip(id, "there is no table payment_returns yet");
      const { rows } = await client.query<{ name: string; total: number }>(
        `SELECT provider || ' ' || provider_payment_id AS name, (count(*) OVER ())::int AS total
         FROM payment_returns returned
         WHERE order_id IS NULL AND period_id IS NULL AND dropped_reason IS NULL
           AND ${MAY_BE_OURS.sql}
         ORDER BY heard_at LIMIT ${MOST_NAMED}`,
      );
      const total = rows[0]?.total ?? 0;
      const names = rows.map(({ name }) => name).join(", ");
      const more = total > rows.length ? ", …" : "";
      const finding = warning(
        `${total} refund${total === 1 ? " or dispute is" : "s or disputes are"} kept, whose payment or share of it nobody here knows: ${names}${more}`,
        "run npm run billing -- reconcile --apply, with --since before the payment, or npm run billing -- returns; see docs/payments.md on money that goes back",
      );
      return conclude(
        id,
        total > 0 ? [finding] : [],
        pass(id, "each refund and dispute belongs to a payment known here"),
      );
    },
  };
}
