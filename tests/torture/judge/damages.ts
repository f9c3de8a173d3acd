import { must } from "../act/fault";
import type { Person } from "../act/person";
import type { Stage } from "../act/stage";
import { createRandom } from "../random";

/** Statements that make a stored number of an account wrong, as a bad restore or a hand in the database would. */
const DAMAGES = [
  "UPDATE credit_accounts SET balance = balance + 1 WHERE user_id = $1",
  "UPDATE credit_accounts SET next_expiry_at = coalesce(next_expiry_at, now()) + interval '1 day' WHERE user_id = $1",
  `UPDATE credit_transactions SET remaining = CASE remaining WHEN 0 THEN amount ELSE 0 END
   WHERE id = (SELECT max(id) FROM credit_transactions WHERE user_id = $1 AND remaining IS NOT NULL)`,
];

const NUMBERS = `SELECT balance, next_expiry_at, (SELECT jsonb_object_agg(id, remaining)
    FROM credit_transactions WHERE user_id = $1 AND remaining IS NOT NULL) AS lots
  FROM credit_accounts WHERE user_id = $1`;

/**
 * Makes stored numbers of some accounts wrong. `ledger verify` has to find these accounts and no other, and
 * `ledger repair` to put back what stood there.
 */
export async function judgeRepairs(
  stage: Stage,
  people: readonly Person[],
  seed: number,
): Promise<void> {
  const { command, database } = stage.world;
  const numbersOf = async ({ userId }: Person) =>
    JSON.stringify(await database.sql(NUMBERS, [userId]));
  const holders = await database.sql<{ id: string }>(
    "SELECT DISTINCT user_id AS id FROM credit_transactions WHERE remaining IS NOT NULL",
  );
  const ids = new Set(holders.map(({ id }) => id));
  const damaged = createRandom(seed)
    .shuffled(people.filter(({ userId }) => ids.has(userId)))
    .slice(0, DAMAGES.length);
  if (damaged.length === 0) return;
  const before = await Promise.all(damaged.map(numbersOf));
  for (const [at, { userId }] of damaged.entries()) await database.sql(DAMAGES[at] ?? "", [userId]);

  const found = await command("ledger", "verify");
  const named = new Set(found.output.match(/(?<=user )\S+/g));
  const isFound = damaged.every(({ userId }) => named.has(userId)) && named.size === damaged.length;
  must(found.code === 1 && isFound, `ledger verify finds of wrong numbers: ${found.output}`);
  for (const [at, person] of damaged.entries()) {
    const { output } = await command(
      ...(["ledger", "repair", person.email, "--apply", "--reason", "torture"] as const),
    );
    const isBack = (await numbersOf(person)) === before[at];
    must(isBack, `the numbers after ledger repair are not those before the damage: ${output}`);
    stage.count("operator: wrong numbers repaired");
  }
  const { code, output } = await command("ledger", "verify");
  must(code === 0, `ledger verify finds after the repairs: ${output}`);
}
