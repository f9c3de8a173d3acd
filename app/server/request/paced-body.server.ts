import type { Response as ExpressResponse } from "express";

/** Resolves when the connection takes more bytes, or is closed. */
export function whenWritable(response: ExpressResponse): Promise<void> {
  if (!response.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      response.off("drain", settle);
      response.off("close", settle);
      resolve();
    };
    response.once("drain", settle);
    response.once("close", settle);
  });
}

interface Reader {
  /** Aborted when the reader has disconnected. */
  signal: AbortSignal;
  /** Resolves when the reader can take more. */
  whenWritable: () => Promise<void>;
}

/**
 * Returns a body that is made only as fast as it is read, and stops when its reader disconnects.
 * Remix's adapter writes a body as fast as it comes and to its end, however full the connection is.
 * The body must not be compressed: compression would hide how full the connection is.
 */
export function pacedBody(
  pieces: AsyncGenerator<string | Uint8Array>,
  { signal, whenWritable }: Reader,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await whenWritable();
        const next = signal.aborted ? await pieces.return(undefined) : await pieces.next();
        if (next.done) controller.close();
        else if (typeof next.value === "string") controller.enqueue(encoder.encode(next.value));
        else controller.enqueue(next.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
