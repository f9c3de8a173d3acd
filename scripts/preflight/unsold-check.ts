import { RETIRED } from "~/catalog";
import { PAYMENT_PROVIDER_NAMES, pricesOf } from "~/env/payments";
import { NEW_UNSOLD_DAYS } from "~/models/billing/subscriptions/unsold-lines.server";
import { conclude, type Finding, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

const MOST_NAMED = 5;

/**
 * Finds live subscriptions at prices that sell no plan, and new invoice lines that the catalog doesn't sell:
 * somebody pays, and gets no credits for it.
 */
export function checkUnsold({ env: { payments } }: Configuration): DatabaseCheck {
  const id = "payments.unsold";
  const known = PAYMENT_PROVIDER_NAMES.flatMap((name) => Object.values(pricesOf(name, payments)));
  const sold = [...known.filter((price) => price !== null), ...RETIRED.map(({ price }) => price)];
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, "unsold_lines")))
        return skip(id, "there is no table unsold_lines yet");
      const { rows } = await client.query<{ name: string; total: number }>(
        `SELECT provider || ' ' || provider_price_id || ' (' || count(*) || ')' AS name,
           (sum(count(*)) OVER ())::int AS total
         FROM subscriptions
         WHERE status::text IN ('trialing', 'active', 'past_due', 'unpaid', 'paused')
           AND provider_price_id IS NOT NULL AND provider_price_id <> ALL ($1::text[])
         GROUP BY provider, provider_price_id ORDER BY count(*) DESC, 1 LIMIT ${MOST_NAMED}`,
        [sold],
      );
      const lines = await client.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM unsold_lines
         WHERE heard_at >= now() - interval '${NEW_UNSOLD_DAYS} days'`,
      );
      const findings = [...describePrices(rows), ...describeLines(lines.rows[0]?.total ?? 0)];
      return conclude(id, findings, pass(id, "what subscriptions pay for is in the catalog"));
    },
  };
}

function describePrices(rows: { name: string; total: number }[]): Finding[] {
  const total = rows[0]?.total ?? 0;
  if (total === 0) return [];
  const names = rows.map(({ name }) => name).join(", ");
  return [
    warning(
      `${total} live subscription${total === 1 ? " has" : "s have"} a price that is neither configured nor in RETIRED, and ${total === 1 ? "gets" : "get"} no credits: ${names}`,
      "add the price to RETIRED in app/catalog.ts, then run npm run billing -- reconcile --apply; see docs/payments.md on what is not sold",
    ),
  ];
}

function describeLines(total: number): Finding[] {
  if (total === 0) return [];
  return [
    warning(
      `${total} invoice line${total === 1 ? "" : "s"} of the last ${NEW_UNSOLD_DAYS} days ${total === 1 ? "is" : "are"} not in the catalog, and brought no credits`,
      "run npm run billing -- unsold to see them; see docs/payments.md on what is not sold",
    ),
  ];
}
