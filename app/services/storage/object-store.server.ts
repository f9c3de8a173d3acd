import type { Readable } from "node:stream";

type Access = "private" | "public";

/** Where one object lies; its access decides the bucket and the kind of URL. */
export interface ObjectRef {
  key: string;
  access: Access;
}

interface StoredObject {
  size: number;
  contentType: string | null;
  /** Whether browsers save it under a name rather than show it. */
  isAttachment: boolean;
  etag: string;
}

/** The object store, as the rest of the app sees it. Times are in seconds, sizes in bytes. */
export interface ObjectStore {
  /** A URL that takes one PUT of exactly this type and length until it expires. */
  presignPut(
    object: ObjectRef & { contentType: string; contentLength: number; expiresIn: number },
  ): Promise<string>;
  /** A URL that downloads the object, named `filename`, until it expires. */
  presignGet(
    object: ObjectRef & { filename: string; contentType: string; expiresIn: number },
  ): Promise<string>;
  /** The lasting address of a public object. */
  publicUrl(key: string): string;
  /** What is stored, or null where nothing is. */
  head(object: ObjectRef): Promise<StoredObject | null>;
  /** The first `length` bytes of exactly the version `etag`; null if it was replaced or is gone. */
  readStart(object: ObjectRef & { etag: string; length: number }): Promise<Uint8Array | null>;
  put(
    object: ObjectRef & { contentType: string; contentLength: number; body: Readable | Uint8Array },
  ): Promise<void>;
  /**
   * Makes the version `etag` one that browsers save as `filename` rather than show, by a copy onto
   * itself. Returns the copy's ETag, or null if the version was replaced or is gone.
   */
  makeAttachment(
    object: ObjectRef & { etag: string; filename: string; contentType: string },
  ): Promise<string | null>;
  /** Removes the object; one that is not there is fine. */
  delete(object: ObjectRef): Promise<void>;
}
