import { Prisma } from "~/generated/prisma/client";
import { IS_ON } from "~/models/billing/top-ups/is-on.server";
import { jobsStep } from "~/models/jobs/add-job.server";
import { type Counted, limitMarks } from "~/models/metering/limits.server";

/**
 * A crossing: a reserve or an extension leaves fewer spendable credits than an account's owner chose, or has used so much of
 * a monthly limit. Nothing else makes one: no return, expiry, adjustment or refund.
 *
 * The statement that takes the credits writes a row of `crossings` and the job for it, in one go. The row's unique key
 * makes one of 100 spends at once, and while the row is there, no further spend makes another, whatever a refund gives
 * back meanwhile. A new lot removes the row (a trigger), which arms the mark again. The row of a monthly limit stays for its
 * month. An account without a mark pays one look into `account_settings`.
 *
 * The job (`handle-crossing.server.ts`) issues the grants that are due, and then asks again whether the balance is below.
 *
 * To add a watcher of the balance:
 * 1. a nullable column of credits in `account_settings`, which is the mark;
 * 2. its line in `BALANCE_MARKS`;
 * 3. its function in `WATCHERS` of `handle-crossing.server.ts`, without which it doesn't compile. It runs in the job's
 *    transaction with the account locked, so it only writes to the database: an email into the outbox, or a row with
 *    a job of its own for what calls a provider.
 */
export const BALANCE_MARKS = {
  low_balance: Prisma.sql`settings.low_balance_credits`,
  top_up: Prisma.sql`CASE WHEN ${IS_ON} THEN settings.threshold END`,
} satisfies Record<string, Prisma.Sql>;

export type BalanceWatcher = keyof typeof BALANCE_MARKS;

const MARKS = Prisma.join(
  Object.entries(BALANCE_MARKS).map(
    ([watcher, mark]) => Prisma.sql`(${Prisma.raw(`'${watcher}'`)}, ${mark})`,
  ),
);

/**
 * SQL steps for a spend's attached row, with a leading comma: notes the marks that the step `movement` went past, of the
 * balance and of monthly limits. A spend takes nothing while an expiry is due, so the balance after it is what can be spent.
 */
export const crossingSteps = (counted: Counted): Prisma.Sql =>
  noteCrossings(Prisma.sql`
  SELECT movement.user_id, mark.watcher, mark.key, mark.month
  FROM movement CROSS JOIN LATERAL (
    SELECT marks.watcher, NULL::uuid AS key, NULL::date AS month
    FROM account_settings settings CROSS JOIN LATERAL (VALUES ${MARKS}) AS marks (watcher, credits)
    WHERE settings.account_id = movement.user_id AND movement.balance_after < marks.credits
    UNION ALL ${limitMarks(counted)}
  ) AS mark`);

/**
 * SQL steps, with a leading comma: notes crossings that nobody noted before, and adds their jobs. `found` is a query for
 * the account, watcher, key and month.
 */
export const noteCrossings = (found: Prisma.Sql): Prisma.Sql => Prisma.sql`, crossed AS (
  INSERT INTO crossings (account_id, watcher, api_key_id, month)
  ${found}
  ON CONFLICT DO NOTHING
  RETURNING id
)${jobsStep("crossings", {
  cause: Prisma.sql`crossed`,
  data: Prisma.sql`jsonb_build_object('crossingId', id)`,
})}`;
