import { connectionUrl } from "~/env/formats";

const databaseUrl = connectionUrl(["postgres", "postgresql"]);

type Environment = Record<string, string | undefined>;

/**
 * Returns DATABASE_URL. Throws one clear line, without the value, if it is unset, blank (which means
 * unset) or malformed. Commands that need only the database read it here, because `env.server.ts`
 * requires the whole service's configuration.
 */
export function requireDatabaseUrl(environment: Environment = process.env): string {
  const url = readUrl("DATABASE_URL", environment);
  if (!url) throw new Error("DATABASE_URL is not set: give it in the environment or in .env");
  return url;
}

/**
 * Returns DIRECT_DATABASE_URL, or DATABASE_URL where it is unset: the address for migrations, backups
 * and whatever else needs a session of its own, which a pooler may not give. Throws like
 * `requireDatabaseUrl`.
 */
export function requireDirectDatabaseUrl(environment: Environment = process.env): string {
  return readUrl("DIRECT_DATABASE_URL", environment) ?? requireDatabaseUrl(environment);
}

function readUrl(name: string, environment: Environment): string | null {
  const text = environment[name]?.trim();
  if (!text) return null;
  const { data, error } = databaseUrl.safeParse(text);
  if (error) throw new Error(`${name} ${error.issues[0]?.message}`);
  return data;
}
