import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

export const POSTGRES_DIR = ".data/postgres";

export const isSet = (name: string) => (process.env[name] ?? "").trim() !== "";

/** Whether the environment already says something of a whole group; then none of it is filled in. */
export const isAnySet = (names: string[]) => names.some(isSet);

/** Fills in what the environment leaves blank; what is set there wins. */
export function setDefaults(values: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!isSet(name)) process.env[name] = String(value);
  }
}

/** A secret of this clone's own, made once, so that sign-ins outlive a restart. */
export function localSecret(name: string): string {
  const file = `.data/${name}-secret`;
  if (existsSync(file)) return readFileSync(file, "utf8");
  const secret = randomBytes(32).toString("base64url");
  mkdirSync(".data", { recursive: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}
