import { createHash, randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import pg from "pg";

/** Where people of a server are stored, and what signs its cookies. */
export interface PeopleStore {
  databaseUrl: string;
  authSecret: string;
}

/** Of "correct horse battery", at the cost that the app asks for. */
const PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$PELagSgBoHv3lsHF7AnjhA$dYu6LEMgxgegn4rYTy+CPzWIAyjrKrHxWBrCD8iNvXA";

const pools = new Map<string, pg.Pool>();

function poolOf(databaseUrl: string): pg.Pool {
  const known = pools.get(databaseUrl);
  if (known) return known;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  });
  // The database may end before the connections do.
  pool.on("error", () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
}

/**
 * Stores a person and a session as a sign-up does, and returns the session's `Set-Cookie` value. It takes
 * a few milliseconds; a sign-up takes a tenth of a second, and a server's first one takes a whole second.
 */
export async function storePerson(store: PeopleStore, email: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await poolOf(store.databaseUrl).query(
    `WITH person AS (INSERT INTO users (email, password_hash) VALUES ($1, $2) RETURNING id)
     INSERT INTO sessions (user_id, token_hash, user_agent, expires_at)
     SELECT id, $3, 'node', now() + interval '30 days' FROM person`,
    [email, PASSWORD_HASH, createHash("sha256").update(token).digest()],
  );
  return createCookie("session", { secrets: [store.authSecret] }).serialize(token);
}
