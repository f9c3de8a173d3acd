import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { MADE } from "~/models/images/generations.server";

export interface UnkeptImages {
  userId: string;
  /** Requests with at least one image that our storage doesn't have. */
  requests: number;
  newest: Date;
}

/** Whose images of the last week were charged and not kept in our storage: the provider's addresses end within hours. */
export function listUnkept(
  { limit }: { limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<UnkeptImages[]> {
  return db.$queryRaw`
    SELECT run.account_id AS "userId", count(*)::int AS requests, max(run.settled_at) AS newest
    FROM ${MADE}
    WHERE image.images::text LIKE '%"persisted": false%' AND run.settled_at > now() - interval '7 days'
    GROUP BY run.account_id ORDER BY newest DESC LIMIT ${limit}`;
}
