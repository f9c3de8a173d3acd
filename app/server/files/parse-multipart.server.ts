import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";

/** None of our forms has more than this; reading stops at the first limit that is exceeded. */
const LIMITS = {
  files: 1,
  fields: 20,
  parts: 40,
  headerPairs: 32,
  headerSize: 16 * 1024,
  fieldSize: 10_000,
};

/**
 * RFC 2046 allows a boundary of 70 characters. Searching costs time per byte in proportion to its
 * length.
 */
const MAX_CONTENT_TYPE_LENGTH = 150;

export interface UploadedPart {
  filename: string;
  contentType: string;
  /** Bytes; at most `maxFileBytes`, where the part is cut off. */
  size: number;
}

interface MultipartBody {
  body: Readable;
  contentType: string;
  maxFileBytes: number;
  /** Stores the file's bytes; rejects if the stream breaks off. */
  save: (content: AsyncIterable<Buffer>) => Promise<void>;
}

/**
 * Reads a multipart form with at most one file, whose bytes are saved as they arrive. The file is
 * null if none was chosen.
 * @throws Error if the body isn't multipart, breaks off or exceeds a limit; any error `save` throws
 */
export async function parseMultipart({ body, contentType, maxFileBytes, save }: MultipartBody) {
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH) throw new Error("the Content-Type is too long");
  const fields = new Map<string, string>();
  let file: UploadedPart | null = null;
  let content: Readable | undefined;
  let saved: Promise<void> = Promise.resolve();

  const parser = new Busboy({
    headers: { "content-type": contentType },
    preservePath: true,
    limits: { ...LIMITS, fileSize: maxFileBytes },
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.once(limit, () => parser.destroy(new Error(`the form is over the ${limit}`)));
  }
  parser.on("field", (name, value) => {
    fields.set(name, value);
  });
  parser.on("file", (_field, stream, filename = "", _encoding, partType) => {
    content = stream;
    saved = save(stream).then(() => {
      const size = stream.bytesRead;
      // A form sent without choosing a file has a nameless, empty part.
      if (filename !== "" || size > 0) file = { filename, contentType: partType, size };
    });
    // Otherwise the parser would wait for a reader that is gone.
    saved.catch((error: Error) => parser.destroy(error));
  });

  try {
    await pipeline(body, parser);
    await saved;
  } catch (error) {
    // The parser never ends the file of a form that it gave up on.
    content?.destroy();
    await saved.catch(() => undefined);
    throw error;
  }
  return { fields, file: file as UploadedPart | null };
}
