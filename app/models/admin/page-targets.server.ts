import { type Database, getDb } from "~/db.server";
import { listNames } from "~/models/admin/user-page.server";
import { ownerOfJob } from "~/models/admin/work-actions.server";

interface Target {
  userId: string;
  id: string;
}

/** Whether an object belongs to a person, by the list of their page that it stands in. */
const BELONGS = {
  subscriptions: async ({ userId, id }: Target, db: Database) =>
    (await db.subscription.count({ where: { id, userId } })) > 0,
  async deliveries({ userId, id }: Target, db: Database) {
    const names = await listNames(userId, db);
    const [row] = await db.$queryRaw<{ isNamed: boolean }[]>`
      SELECT names && ${names}::text[] AS "isNamed" FROM webhook_inbox WHERE id = ${id}::uuid`;
    return row?.isNamed === true;
  },
  // Nobody knows yet whose a kept return is.
  kept: async () => true,
  emails: async ({ userId, id }: Target, db: Database) =>
    (await db.outboxEmail.count({ where: { id, userId } })) > 0,
  jobs: async ({ userId, id }: Target, db: Database) => (await ownerOfJob(id, db)) === userId,
  keys: async ({ userId, id }: Target, db: Database) =>
    (await db.apiKey.count({ where: { id, accountId: userId } })) > 0,
};

/**
 * Whether an action on this object belongs on this person's page. An address can name one person and another's object: the
 * log would say that the first was acted on.
 */
export function isOnPage(
  { list, ...target }: Target & { list: keyof typeof BELONGS },
  db: Database = getDb(),
): Promise<boolean> {
  return BELONGS[list](target, db);
}
