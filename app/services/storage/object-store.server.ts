import type { Readable } from "node:stream";

type Access = "private" | "public";

/** The location of an object; its access decides the bucket and the kind of URL. */
export interface ObjectRef {
  key: string;
  access: Access;
}

interface StoredObject {
  size: number;
  contentType: string | null;
  /** Whether browsers download it instead of showing it. */
  isAttachment: boolean;
  etag: string;
}

/** An object to read. */
interface Read extends ObjectRef {
  /** Ends the request when it is aborted. */
  signal?: AbortSignal;
}

/** The object store, as the rest of the app sees it. Times are in seconds, sizes in bytes. */
export interface ObjectStore {
  /** A URL that accepts PUTs of exactly this type and length until it expires. */
  presignPut(
    object: ObjectRef & { contentType: string; contentLength: number; expiresIn: number },
  ): Promise<string>;
  /** A URL that downloads the object as `filename` until it expires. */
  presignGet(
    object: ObjectRef & { filename: string; contentType: string; expiresIn: number },
  ): Promise<string>;
  /** The permanent URL of a public object. */
  publicUrl(key: string): string;
  /** The stored object's properties, or null if it does not exist. */
  head(object: Read): Promise<StoredObject | null>;
  /**
   * The first `length` bytes of exactly the version `etag`, or of whichever is there if it is null; null
   * if the version was replaced or is gone.
   */
  readStart(object: Read & { etag: string | null; length: number }): Promise<Uint8Array | null>;
  put(
    object: ObjectRef & { contentType: string; contentLength: number; body: Readable | Uint8Array },
  ): Promise<void>;
  /** Copies an object, with its type and headers, under another key or into the other bucket. */
  copy(objects: { from: ObjectRef; to: ObjectRef }): Promise<void>;
  /**
   * Makes browsers download the version `etag` as `filename` instead of showing it, by copying the
   * object onto itself. Returns the copy's ETag, or null if the version was replaced or is gone.
   */
  makeAttachment(
    object: Read & { etag: string; filename: string; contentType: string },
  ): Promise<string | null>;
  /** Removes the object; it need not exist. */
  delete(object: ObjectRef): Promise<void>;
}
