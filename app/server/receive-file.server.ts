import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { parseMultipart, type UploadedPart } from "~/server/parse-multipart.server";
import { withBody } from "~/server/with-body.server";
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

/**
 * Streams a multipart form's one file to a temporary file, runs `work`, then frees the disk. The
 * store needs the length before the upload, and the file is never held whole in memory.
 * It takes a slot with its first byte, and keeps it until `work` has ended.
 * @throws AppError 413 payload_too_large, 400 invalid_form, 408 request_timeout, 429 rate_limited, 503
 * uploads_busy
 */
export function withReceivedFile<T>(
  request: Request,
  work: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const contentType = request.headers.get("Content-Type") ?? "";
  const rules = { freeBytes: 0, limit: MAX_FORM_BYTES, tooLong: tooLarge, brokenOff: unreadable };
  return withBody(request, { lane: "uploads", ...rules }, async (pieces) => {
    const disk = await openNameless();
    try {
      const { fields, file } = await receive({ pieces, contentType, disk });
      const read = () => disk.createReadStream({ start: 0, autoClose: false });
      return await work({ fields, file: file && { ...file, read } });
    } finally {
      await disk.close();
    }
  });
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

interface SentForm {
  pieces: AsyncIterable<Uint8Array>;
  contentType: string;
  disk: FileHandle;
}

async function receive({ pieces, contentType, disk }: SentForm) {
  let diskFault: unknown;
  const write = (chunk: Buffer) =>
    disk.writeFile(chunk).catch((error: unknown) => {
      diskFault = error;
      throw error;
    });
  try {
    return await parseMultipart({
      body: Readable.from(pieces),
      contentType,
      maxFileBytes: MAX_FILE_BYTES + 1,
      save: async (content) => {
        for await (const chunk of content) await write(chunk);
      },
    });
  } catch (cause) {
    if (diskFault) throw diskFault;
    if (cause instanceof AppError) throw cause;
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): AppError {
  return new AppError({
    code: "invalid_form",
    publicMessage:
      "The upload was interrupted, or we couldn't read it. Nothing was stored. Send it again.",
    cause,
  });
}

function tooLarge(): AppError {
  return new AppError({
    code: "payload_too_large",
    publicMessage: "The file is larger than 10 MB. Nothing was stored. Send a smaller one.",
  });
}
