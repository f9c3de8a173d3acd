import type { z } from "zod";
import { translatorFor } from "~/i18n/messages.server";
import { isValidationKey } from "~/i18n/validation-key";
import { parseJsonBody } from "~/server/parse-json-body.server";
import { AppError } from "~/utils/app-error";

/** No JSON body or webhook of ours is longer; uploads stream past this, not through it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The longest plain form is a prompt of 4,000 characters, percent-encoded to at most twelve bytes each. */
const MAX_FORM_BYTES = 64 * 1024;

/** A body somewhat over the limit is still read, and dropped, so that its sender sees the answer. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES;

/**
 * The request's raw bytes, of which no more than `limit` are ever held.
 * @throws AppError 413 payload_too_large
 */
export async function readBytes(
  request: Request,
  limit = MAX_BODY_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of iterate(request.body)) {
    length += chunk.byteLength;
    if (length <= limit) chunks.push(chunk);
    else if (length > limit + MAX_DISCARDED_BYTES) break;
    else chunks.length = 0;
  }
  if (length > limit) throw payloadTooLarge(limit);
  return new Uint8Array(Buffer.concat(chunks, length));
}

/** Web streams iterate in Node, which the DOM's types do not know. */
function iterate(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> | [] {
  return (body as (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null) ?? [];
}

/**
 * The JSON body, checked against `schema`; unknown fields are dropped.
 * @throws AppError 413 payload_too_large; 400 invalid_input, naming each faulty field
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
 * A copy of the request whose form body was read within the limit, for `formData()` to parse.
 * @throws AppError 413 payload_too_large
 */
async function withBoundedBody(request: Request): Promise<Request> {
  const body = await readBytes(request, MAX_FORM_BYTES);
  return new Request(request.url, { method: request.method, headers: request.headers, body });
}

/**
 * A plain form's fields of these names, each once; whatever else was sent is dropped. Form libraries
 * read structure and commands into names (`a[999999999]`, `__intent__`), which are nobody's here.
 * @throws AppError 413 payload_too_large, 400 invalid_form
 */
export async function readForm(request: Request, names: string[]): Promise<FormData> {
  const sent = await parseForm(await withBoundedBody(request));
  const form = new FormData();
  for (const name of names) {
    const value = sent.get(name);
    if (typeof value === "string") form.set(name, value);
  }
  return form;
}

function parseForm(bounded: Request): Promise<FormData> {
  return bounded.formData().catch((cause: unknown) => {
    throw new AppError({
      code: "invalid_form",
      status: 400,
      publicMessage: "The form could not be read. Go back, reload the page and send it again.",
      cause,
    });
  });
}

/** A 400 whose `errors` say, by field and in English, what a schema found. */
function invalidInput(error: z.ZodError): AppError {
  const t = translatorFor("en");
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.join(".") || "body";
    const text = isValidationKey(issue.message) ? t(issue.message) : issue.message;
    fields[field] = [...(fields[field] ?? []), text];
  }
  return new AppError({
    code: "invalid_input",
    status: 400,
    publicMessage: `Nothing was done, because of: ${Object.keys(fields).join(", ")}.`,
    fields,
  });
}

function payloadTooLarge(limit: number): AppError {
  return new AppError({
    code: "payload_too_large",
    status: 413,
    publicMessage: `The body is longer than ${limit} bytes.`,
  });
}
