import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { runIdOf } from "~/models/credits/ids-in-rows.server";
import { type StoryRow, storyOf } from "~/models/credits/story.server";
import { isUuid } from "~/utils/uuid";

/** A row of the ledger, with each lot's credits before and after it. */
export interface ExplainedRow extends StoryRow {
  lots: { id: string; amount: number; before: number; after: number }[];
}

/**
 * Finds the rows of the ledger that a reference means, oldest first: the id of a row, a source, a run
 * (`generation:<id>`, `run:<id>` or its id), the id of an order or a paid period, or a provider's id of a payment or
 * checkout. Returns none for anything else.
 */
export async function findRows(
  reference: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<ExplainedRow[]> {
  const id = /^\d{1,18}$/.test(reference) ? reference : null;
  const [, runOf = reference] = /^(?:generation|run):([0-9a-f-]{36})$/.exec(reference) ?? [];
  const uuid = isUuid(runOf) ? runOf : null;
  const found = await db.$queryRaw<{ id: bigint }[]>`
    WITH sale AS (
      SELECT id::text AS id, user_id FROM orders
      WHERE id = ${uuid}::uuid OR provider_payment_id = ${reference}
        OR provider_checkout_id = ${reference}
      UNION
      SELECT paid.id::text, subscriptions.user_id
      FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
      WHERE paid.id = ${uuid}::uuid OR paid.provider_payment_id = ${reference}
        OR (paid.provider, paid.provider_payment_id) IN (
          SELECT provider, provider_payment_id FROM invoice_payments
          WHERE provider_intent_id = ${reference})
    )
    SELECT id FROM credit_transactions WHERE id = ${id}::bigint OR source = ${reference}
    UNION
    SELECT row.id FROM sale JOIN credit_transactions row ON row.user_id = sale.user_id
    WHERE row.reference = sale.id AND row.type IN ('grant', 'reversal', 'adjustment')
    UNION
    SELECT row.id FROM metered_runs run JOIN credit_transactions row ON row.user_id = run.account_id
    WHERE run.id = ${uuid}::uuid AND ${runIdOf(Prisma.sql`row.source`)} = run.id`;
  return explainRows(
    found.map((row) => String(row.id)),
    db,
  );
}

/** These rows, oldest first. Each lot is added up once. */
async function explainRows(ids: string[], db: DatabaseOrTransaction): Promise<ExplainedRow[]> {
  if (ids.length === 0) return [];
  const wanted = Prisma.sql`SELECT * FROM credit_transactions WHERE id = ANY (${ids}::bigint[])`;
  const rows = await db.$queryRaw<StoryRow[]>(storyOf(wanted, Prisma.sql`row.id`));
  const moves = await db.$queryRaw<{ row: string; lot: string; after: number }[]>`
    SELECT row::text, lot::text, after FROM (
      SELECT transaction_id AS row, lot_id AS lot, lot.amount + (sum(moved.amount)
        OVER (PARTITION BY lot_id ORDER BY transaction_id))::int AS after
      FROM credit_allocations moved JOIN credit_transactions lot ON lot.id = lot_id
      WHERE lot_id IN (SELECT lot_id FROM credit_allocations WHERE transaction_id = ANY (${ids}::bigint[]))
    ) AS every WHERE row = ANY (${ids}::bigint[])`;
  const afterOf = new Map(moves.map(({ row, lot, after }) => [`${row} ${lot}`, after]));
  return rows.map((row) => ({
    ...row,
    lots: row.lots.map((lot) => {
      const after = afterOf.get(`${row.id} ${lot.id}`) ?? 0;
      return { ...lot, before: after - lot.amount, after };
    }),
  }));
}
