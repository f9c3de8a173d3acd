import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { hashToken } from "~/utils/token.server";

/** Minutes for which a sign-in at a provider may take. */
export const OAUTH_STATE_MINUTES = 10;

/**
 * Uses up the state of a sign-in at a provider. Returns whether this was its first use: the unique key
 * decides. Only a return leaves a row, so that starts alone cannot fill the table.
 */
export async function spendState(
  state: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const spent = await db.$executeRaw`
    INSERT INTO auth_challenges (purpose, token_hash, expires_at, used_at)
    VALUES ('oauth_state', ${hashToken(state)},
            now() + make_interval(mins => ${OAUTH_STATE_MINUTES}), now())
    ON CONFLICT (token_hash) DO NOTHING`;
  return spent === 1;
}
