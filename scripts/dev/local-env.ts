import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const SECRET_FILE = ".data/auth-secret";

export const isSet = (name: string) => (process.env[name] ?? "").trim() !== "";

/** Whether the environment already says something of a whole group; then none of it is filled in. */
export const isAnySet = (names: string[]) => names.some(isSet);

/** Fills in what the environment leaves blank; what is set there wins. */
export function setDefaults(values: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!isSet(name)) process.env[name] = String(value);
  }
}

/** This clone's own signing secret, made once, so that sign-ins outlive a restart. */
export function localAuthSecret(): string {
  try {
    return readFileSync(SECRET_FILE, "utf8");
  } catch {
    const secret = randomBytes(32).toString("base64url");
    mkdirSync(".data", { recursive: true });
    writeFileSync(SECRET_FILE, secret, { mode: 0o600 });
    return secret;
  }
}
