import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { parseMultipart, type UploadedPart } from "~/server/parse-multipart.server";
import { MAX_FILE_BYTES } from "~/services/storage/content-types";
import { AppError } from "~/utils/app-error";

/** The largest form: a file of 10 MB, plus 1 MB for its headers and fields. */
const MAX_FORM_BYTES = MAX_FILE_BYTES + 1024 * 1024;

interface ReceivedFile extends UploadedPart {
  /** Reads the file from its first byte; valid only while `work` runs. */
  read(): Readable;
}

interface ReceivedForm {
  fields: Map<string, string>;
  file: ReceivedFile | null;
}

/** @throws AppError 413 payload_too_large if the announced body is longer than the limit */
export function refuseLongForm(request: Request): void {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_FORM_BYTES) throw tooLarge();
}

/**
 * Streams a multipart form's one file to a temporary file, runs `work`, then frees the disk. The
 * store needs the length before the upload, and the file is never held whole in memory.
 * @throws AppError 413 payload_too_large, 400 invalid_form
 */
export async function withReceivedFile<T>(
  request: Request,
  work: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const disk = await openNameless();
  try {
    const { fields, file } = await receive(request, disk);
    const read = () => disk.createReadStream({ start: 0, autoClose: false });
    return await work({ fields, file: file && { ...file, read } });
  } finally {
    await disk.close();
  }
}

/** Opens an unnamed temporary file: the disk is freed when it is closed or the process dies. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "upload-"));
  try {
    return await open(path.join(folder, "file"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(request: Request, disk: FileHandle) {
  const body = boundedBody(request);
  let diskFault: unknown;
  const write = (chunk: Buffer) =>
    disk.writeFile(chunk).catch((error: unknown) => {
      diskFault = error;
      throw error;
    });
  const contentType = request.headers.get("Content-Type") ?? "";
  try {
    return await parseMultipart({
      body: Readable.from(body.chunks),
      contentType,
      maxFileBytes: MAX_FILE_BYTES + 1,
      save: async (content) => {
        for await (const chunk of content) await write(chunk);
      },
    });
  } catch (cause) {
    if (diskFault) throw diskFault;
    if (body.wasTooLong()) throw tooLarge();
    throw new AppError({
      code: "invalid_form",
      publicMessage:
        "The upload was interrupted, or we couldn't read it. Nothing was stored. Send it again.",
      cause,
    });
  }
}

/**
 * Returns the body up to the form's limit, whether its length was announced or not. The HTTP layer
 * discards the rest: cancelling the body would cut the connection before the response is sent.
 */
function boundedBody(request: Request) {
  const sent = request.body as NodeReadableStream<Uint8Array> | null;
  let length = 0;
  async function* chunks() {
    for await (const chunk of sent?.values({ preventCancel: true }) ?? []) {
      length += chunk.byteLength;
      if (length > MAX_FORM_BYTES) throw new Error("the body is too long");
      yield chunk;
    }
  }
  return { chunks: chunks(), wasTooLong: () => length > MAX_FORM_BYTES };
}

function tooLarge(): AppError {
  return new AppError({
    code: "payload_too_large",
    publicMessage: "The file is larger than 10 MB. Nothing was stored. Send a smaller one.",
  });
}
