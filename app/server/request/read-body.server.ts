import type { z } from "zod";
import { API_LOCALE } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { isValidationKey } from "~/i18n/validation-key";
import { parseJsonBody } from "~/server/request/parse-json-body.server";
import { withBody } from "~/server/request/with-body.server";
import { AppError } from "~/utils/app-error";
import { currentRequest } from "~/utils/request-context.server";

const KIB = 1024;

/** A JSON body of a sender who is signed in, and of one whom nobody knows. None of ours is longer. */
const MAX_JSON_BYTES = { known: 1024 * KIB, unknown: 16 * KIB };

/**
 * Bytes of a body that are read without a slot: 2,000 connections, the most there may be, then hold 32 MB.
 */
const FREE_BYTES = 16 * KIB;

/**
 * The longest plain form is a prompt of 4,000 characters, each percent-encoded to at most twelve
 * bytes.
 */
const MAX_FORM_BYTES = 64 * KIB;

/** Our longest form has ten fields. */
const MAX_FORM_FIELDS = 100;

/**
 * Reads the request's raw bytes and never holds more than `limit`.
 * @throws AppError 413 payload_too_large; 408 request_timeout if it comes in too slowly; 429 or 503 while
 * too many long bodies are read; 400 invalid_input if the sender left before the end
 */
export function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const rules = { freeBytes: FREE_BYTES, limit, tooLong: () => payloadTooLarge(limit), brokenOff };
  return withBody(request, { lane: "bodies", ...rules }, joined);
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Reads the JSON body and checks it against `schema`; unknown fields are dropped. A route with a session
 * looks for it first: only known senders may send more than 16 KiB, and no more than `mostBytes`.
 * @throws AppError as `readBytes` does; 400 invalid_input with each invalid field
 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  mostBytes: number = MAX_JSON_BYTES.known,
): Promise<z.output<Schema>> {
  const limit = currentRequest()?.userId ? mostBytes : MAX_JSON_BYTES.unknown;
  const parsed = schema.safeParse(parseJsonBody(await readBytes(request, limit)));
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
}

/**
 * Reads these fields of a plain form, each at most once unless it may be repeated; other fields are dropped. Form libraries
 * parse structure and commands from names (`a[999999999]`, `__intent__`), which our forms don't
 * use.
 * @throws AppError as `readBytes` does; 400 invalid_form
 */
export async function readForm(
  request: Request,
  names: string[],
  { repeated = [], mostBytes = MAX_FORM_BYTES }: { repeated?: string[]; mostBytes?: number } = {},
): Promise<FormData> {
  const sent = parseForm(
    request.headers.get("Content-Type") ?? "",
    await readBytes(request, mostBytes),
  );
  const form = new FormData();
  for (const name of new Set(names)) {
    const values = sent.getAll(name);
    for (const value of repeated.includes(name) ? values : values.slice(0, 1))
      form.append(name, value);
  }
  return form;
}

/** Only uploads use multipart, and their own route reads them. */
function parseForm(contentType: string, bytes: Uint8Array): URLSearchParams {
  const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);
  const text = new TextDecoder().decode(bytes);
  if (isForm && text.split("&", MAX_FORM_FIELDS + 1).length <= MAX_FORM_FIELDS)
    return new URLSearchParams(text);
  throw new AppError({
    code: "invalid_form",
    publicMessage: "We couldn't read the form. Go back, reload the page and send it again.",
  });
}

/** Returns a 400 whose `errors` describe the schema's findings by field, in English. */
export function invalidInput(error: z.ZodError): AppError {
  const t = translatorFor(API_LOCALE);
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.join(".") || "body";
    const text = isValidationKey(issue.message) ? t(issue.message) : issue.message;
    fields[field] = [...(fields[field] ?? []), text];
  }
  return new AppError({
    code: "invalid_input",
    publicMessage: `Nothing was changed. Check these fields: ${Object.keys(fields).join(", ")}.`,
    fields,
  });
}

function brokenOff(cause: unknown): AppError {
  return new AppError({
    code: "invalid_input",
    publicMessage: "The body ended before it was complete. Nothing was changed. Send it again.",
    cause,
  });
}

function payloadTooLarge(limit: number): AppError {
  return new AppError({
    code: "payload_too_large",
    publicMessage: `The body is too long. Send at most ${limit} bytes.`,
  });
}
