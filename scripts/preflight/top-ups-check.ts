import { conclude, pass, skip, warning } from "./check";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

const MOST_NAMED = 5;

/** Finds top-ups whose event, or the provider's answer, is missing: somebody may have paid without getting credits. */
export function checkTopUps(): DatabaseCheck {
  const id = "payments.top-ups";
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, "top_ups"))) return skip(id, "there is no table top_ups yet");
      const { rows } = await client.query<{ name: string; total: number }>(
        `SELECT coalesce(provider_payment_id, id::text) AS name, (count(*) OVER ())::int AS total
         FROM top_ups WHERE status IN ('claimed', 'asked', 'unknown')
           AND coalesce(asked_at, created_at) < now() - interval '1 hour'
         ORDER BY created_at LIMIT ${MOST_NAMED}`,
      );
      const total = rows[0]?.total ?? 0;
      const names = rows.map(({ name }) => name).join(", ");
      const more = total > rows.length ? ", …" : "";
      const finding = warning(
        `${total} top-up${total === 1 ? " has" : "s have"} been open for more than an hour: ${names}${more}`,
        "see that maintenance runs and that the webhook endpoint gets payment_intent.succeeded, then npm run billing -- reconcile",
      );
      return conclude(id, total > 0 ? [finding] : [], pass(id, "no top-up waits for its event"));
    },
  };
}
