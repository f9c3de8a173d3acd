import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { z } from "zod";
import { translatorFor } from "~/i18n/messages.server";
import { isValidationKey } from "~/i18n/validation-key";
import { parseJsonBody } from "~/server/parse-json-body.server";
import { AppError } from "~/utils/app-error";

/**
 * None of our JSON bodies or webhooks is longer. Uploads are streamed and don't pass through here.
 */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The longest plain form is a prompt of 4,000 characters, each percent-encoded to at most twelve
 * bytes.
 */
const MAX_FORM_BYTES = 64 * 1024;

/** Our longest form has ten fields. */
const MAX_FORM_FIELDS = 100;

/**
 * Reads the request's raw bytes and never holds more than `limit`. The HTTP layer discards the
 * rest: cancelling the body would cut the connection before the response is sent.
 * @throws AppError 413 payload_too_large; 400 invalid_input if the sender left before the end
 */
export async function readBytes(
  request: Request,
  limit = MAX_BODY_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of piecesOf(request)) {
    length += chunk.byteLength;
    if (length > limit) throw payloadTooLarge(limit);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

async function* piecesOf(request: Request): AsyncGenerator<Uint8Array> {
  const body = request.body as NodeReadableStream<Uint8Array> | null;
  try {
    yield* body?.values({ preventCancel: true }) ?? [];
  } catch (cause) {
    throw new AppError({
      code: "invalid_input",
      publicMessage: "The body ended before it was complete. Nothing was changed. Send it again.",
      cause,
    });
  }
}

/**
 * Reads the JSON body and checks it against `schema`; unknown fields are dropped.
 * @throws AppError 413 payload_too_large; 400 invalid_input with each invalid field
 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(parseJsonBody(await readBytes(request)));
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
}

/**
 * Reads these fields of a plain form, each at most once; other fields are dropped. Form libraries
 * parse structure and commands from names (`a[999999999]`, `__intent__`), which our forms don't
 * use.
 * @throws AppError 413 payload_too_large, 400 invalid_form
 */
export async function readForm(request: Request, names: string[]): Promise<FormData> {
  const sent = parseForm(
    request.headers.get("Content-Type") ?? "",
    await readBytes(request, MAX_FORM_BYTES),
  );
  const form = new FormData();
  for (const name of names) {
    const value = sent.get(name);
    if (value !== null) form.set(name, value);
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
  const t = translatorFor("en");
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

function payloadTooLarge(limit: number): AppError {
  return new AppError({
    code: "payload_too_large",
    publicMessage: `The body is too long. Send at most ${limit} bytes.`,
  });
}
