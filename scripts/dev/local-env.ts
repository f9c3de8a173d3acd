import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

export const POSTGRES_DIR = ".data/postgres";

export const isSet = (name: string) => (process.env[name] ?? "").trim() !== "";

/** Whether the environment sets any variable of a group; then none of the group gets a default. */
export const isAnySet = (names: string[]) => names.some(isSet);

/** Sets unset variables; existing values win. */
export function setDefaults(values: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!isSet(name)) process.env[name] = String(value);
  }
}

/** A secret of this clone, created once, so that sign-ins survive a restart. */
export function localSecret(name: string): string {
  const file = `.data/${name}-secret`;
  if (existsSync(file)) return readFileSync(file, "utf8");
  const secret = randomBytes(32).toString("base64url");
  mkdirSync(".data", { recursive: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}
