import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";

/** A form with more than these is not one of ours; reading stops where the first is passed. */
const LIMITS = {
  files: 1,
  fields: 20,
  parts: 40,
  headerPairs: 32,
  headerSize: 16 * 1024,
  fieldSize: 10_000,
};

/** RFC 2046 allows a boundary 70 characters. Searching for a long one would cost its length a byte. */
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
  /** Takes the file's bytes; rejects if they break off. */
  save: (content: AsyncIterable<Buffer>) => Promise<void>;
}

/**
 * Reads a multipart form of at most one file, whose bytes are saved as they come. The file is null
 * if none was chosen.
 * @throws Error if the body is not multipart, breaks off, or passes one of the limits; what `save` throws
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
