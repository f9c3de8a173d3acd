import { scrubText } from "~/utils/scrub-text";
import { serializeError } from "~/utils/serialize-error";

const CENSOR = "[redacted]";
/** Deeper objects are left out; our own log objects are never that deep. */
const DEPTH = 6;

/** Parts of a field's name, in lower case without `_` and `-`. An `apiKeyId` says which key it was, and opens nothing. */
const SENSITIVE =
  /password|passwd|secret|token|authorization|cookie|apikey(?!id$)|prompt|email|urls?$|signature|filename|credential/;

/**
 * Cache of checked names. Names come from code, so there are few; in case of a flood the cache stops
 * growing.
 */
const known = new Map<string, boolean>();
const MOST_KNOWN = 1_000;

function isSensitive(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const sensitive = SENSITIVE.test(name.slice(0, 200).toLowerCase().replace(/[_-]/g, ""));
  if (known.size < MOST_KNOWN) known.set(name, sensitive);
  return sensitive;
}

/**
 * Redacts a log line's object: strings and objects under a sensitive name, at any depth, are replaced.
 * Numbers and booleans stay (`tokensRemoved: 3`). Errors are serialized anywhere in it. The object
 * itself is not changed.
 */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    safe[name] = isPlain(value) && !isText(value) ? value : redactValue(name, value, DEPTH);
  }
  return safe;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isPlain = (value: unknown) => typeof value !== "object" || value === null;

function redactValue(name: string, value: unknown, depth: number): unknown {
  if (value === null || (typeof value !== "object" && !isText(value))) return value;
  if (isSensitive(name)) return CENSOR;
  if (isText(value)) return value;
  if (value instanceof Error) return serializeError(value);
  if (value instanceof URL) return scrubText(value.href);
  if (value instanceof Date) return value;
  if (depth === 0 || ArrayBuffer.isView(value)) return "[object]";
  if (Array.isArray(value)) return value.map((item) => redactValue("", item, depth - 1));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, redactValue(key, item, depth - 1)]));
}
