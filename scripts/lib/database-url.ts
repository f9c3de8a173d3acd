import { connectionUrl } from "~/env/formats";

const databaseUrl = connectionUrl(["postgres", "postgresql"]);

/**
 * Returns DATABASE_URL. Throws one clear line, without the value, if it is unset, blank (which means
 * unset) or malformed. Commands that need only the database read it here, because `env.server.ts`
 * requires the whole service's configuration.
 */
export function requireDatabaseUrl(
  environment: Record<string, string | undefined> = process.env,
): string {
  const text = environment.DATABASE_URL?.trim();
  if (!text) {
    throw new Error("DATABASE_URL is not set: give it in the environment or in .env");
  }
  const { data, error } = databaseUrl.safeParse(text);
  if (error) throw new Error(`DATABASE_URL ${error.issues[0]?.message}`);
  return data;
}
