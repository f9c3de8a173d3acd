import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import busboy from "busboy";
import { MAX_FILE_BYTES } from "~/services/storage/content-types";
import { AppError } from "~/utils/app-error";

/** How much of an over-long body is still read, and thrown away, so that the answer is seen. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

interface ReceivedFile {
  filename: string;
  contentType: string;
  /** Bytes; one more than allowed if the file was cut off there. */
  size: number;
  /** Where it lies until the work is done. */
  path: string;
}

interface ReceivedForm {
  fields: Record<string, string>;
  file: ReceivedFile | null;
}

/**
 * Streams a multipart form's one file to a temporary file, so that its length is known before the
 * store needs it and it never lies in memory whole, then runs `work` and removes it again.
 * @throws AppError 413 payload_too_large, 400 invalid_form
 */
export async function withReceivedFile<T>(
  request: Request,
  work: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_DISCARDED_BYTES) {
    throw new AppError({
      code: "payload_too_large",
      status: 413,
      publicMessage: "The file is far over the limit of 10 MB. Nothing was stored.",
    });
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "upload-"));
  try {
    return await work(await receive(request, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(request: Request, folder: string): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: {}, file: null };
  try {
    const parser = busboy({
      headers: { "content-type": request.headers.get("Content-Type") ?? "" },
      defParamCharset: "utf8",
      preservePath: true,
      limits: { files: 1, fields: 20, fieldSize: 10_000, fileSize: MAX_FILE_BYTES + 1 },
    });
    let saved: Promise<void> = Promise.resolve();
    parser.on("field", (name, value) => {
      form.fields[name] = value;
    });
    parser.on("file", (_field, stream, { filename, mimeType }) => {
      const file = { filename: filename ?? "", contentType: mimeType, size: 0, path: "" };
      file.path = path.join(folder, "file");
      stream.on("data", (chunk: Buffer) => {
        file.size += chunk.length;
      });
      // A form sent without choosing a file has a nameless, empty part.
      saved = pipeline(stream, createWriteStream(file.path)).then(() => {
        if (file.filename !== "" || file.size > 0) form.file = file;
      });
      // Both pipelines fail when the upload breaks off, and only one of them is awaited first: a
      // rejection that nobody listens to yet would end the process.
      saved.catch(() => undefined);
    });
    await pipeline(readBody(request), limitBytes(MAX_DISCARDED_BYTES), parser);
    await saved;
    return form;
  } catch (cause) {
    throw new AppError({
      code: "invalid_form",
      status: 400,
      publicMessage:
        "The upload broke off or could not be read. Nothing was stored; send it again.",
      cause,
    });
  }
}

function readBody(request: Request): Readable {
  if (!request.body) return Readable.from([]);
  return Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>);
}

/** Ends a body that goes on for ever, announced or not. */
function limitBytes(most: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > most) done(new Error("the body is too long"));
      else done(null, chunk);
    },
  });
}
