import { existsSync } from "node:fs";
import { readFolder, readText, type TextFile } from "../lib/read-files";

/** Words of common examples; too long to appear in a random value by chance. */
const PLACEHOLDER = /change.?me|example|placeholder|your[-_ ]|password|replace|secret|insert/i;
/** Of 32 random base64 or hexadecimal characters, fewer are distinct less than once in millions. */
const FEWEST_DISTINCT_CHARACTERS = 9;

/** Returns why a secret is easy to guess, or null if it isn't. */
export function findWeakness(secret: string, published: ReadonlySet<string>): string | null {
  if (published.has(secret)) return "is an example from this project's own files";
  if (PLACEHOLDER.test(secret)) return "reads like a placeholder";
  if (new Set(secret).size < FEWEST_DISTINCT_CHARACTERS) return "has too few different characters";
  return null;
}

const ASSIGNMENT =
  /\b(?:AUTH_SECRET|CRON_SECRET|METRICS_SECRET)["']?\s*[=:]\s*["']?([^\s"'`,$<>]{8,})/g;

const EXAMPLES = [".env.example", "README.md", "compose.yaml", "docker-compose.yml"];

/**
 * Values that the project's documentation, example and compose files assign to secrets: they are public.
 */
export function readPublishedSecrets(): ReadonlySet<string> {
  const files = [...EXAMPLES.filter(existsSync).map(readText), ...readFolder("docs", /\.md$/)];
  return findPublishedSecrets(files);
}

export function findPublishedSecrets(files: Pick<TextFile, "text">[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ text }) => [...text.matchAll(ASSIGNMENT)].map(([, value = ""]) => value)),
  );
}
