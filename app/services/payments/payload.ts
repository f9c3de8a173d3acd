import { z } from "zod";

/** Parses bytes as a JSON object; null for invalid UTF-8, invalid JSON and other values. */
export function parseJsonObject(rawBody: Uint8Array): Record<string, unknown> | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody);
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Accepts null or a missing field: both providers use either for an absent value. */
export function orNull<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? null);
}

/**
 * Text that a column and its index accept: PostgreSQL refuses NUL, and an index refuses long text. No
 * provider sends either, and neither may cause a 500.
 */
export const shortText = z
  .string()
  .max(255)
  .refine((text) => !text.includes("\0"));

export const id = shortText.min(1);

/** An id, given either as text or as the expanded object. */
export const reference = z.union([id, z.object({ id }).transform((object) => object.id)]);

export const minorUnits = z.int().min(0);

export const currency = z.string().min(1).toLowerCase();

const MAX_DATE_MS = 8.64e15;

export const unixSeconds = z
  .int()
  .min(0)
  .max(MAX_DATE_MS / 1000)
  .transform((seconds) => new Date(seconds * 1000));

export const unixMilliseconds = z
  .int()
  .min(0)
  .max(MAX_DATE_MS)
  .transform((milliseconds) => new Date(milliseconds));

export const isoDate = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The problems of a payload as a list of fields, without values: those may be personal. */
export function describeProblem(error: z.ZodError): string {
  const fields = error.issues.map((issue) => `${issue.path.join(".") || "object"}: ${issue.code}`);
  return fields.join(", ");
}
