import { connectionUrl } from "~/env/formats";

const databaseUrl = connectionUrl(["postgres", "postgresql"]);

/**
 * The database the environment names. Throws one clear line, without the value, when DATABASE_URL is
 * unset, blank (which means unset) or malformed. Commands on the database alone read it here and not
 * from `env.server.ts`, which wants the whole service configured.
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
