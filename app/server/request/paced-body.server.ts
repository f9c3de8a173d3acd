import type { AppLoadContext } from "@remix-run/node";
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

/**
 * Returns a signal that is aborted when the client has gone before the whole response was sent. The request's own signal is
 * no use to a response that goes on: Remix makes requests of requests, each holds the signal of the one before it weakly
 * (undici's `Request`), and once the first is collected as garbage nothing aborts the last.
 */
export function whenLeft(response: ExpressResponse): AbortSignal {
  const left = new AbortController();
  const note = () => {
    if (!response.writableFinished) left.abort();
  };
  if (response.destroyed) note();
  else response.once("close", note);
  return left.signal;
}

/**
 * Returns a body that is made only as fast as it is read, and stops when its reader disconnects.
 * Remix's adapter writes a body as fast as it comes and to its end, however full the connection is.
 * The body must not be compressed: compression would hide how full the connection is.
 */
export function pacedBody(
  pieces: AsyncGenerator<string | Uint8Array>,
  { whenLeft, whenWritable }: Pick<AppLoadContext, "whenLeft" | "whenWritable">,
): ReadableStream<Uint8Array> {
  const left = whenLeft();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await whenWritable();
        const next = left.aborted ? await pieces.return(undefined) : await pieces.next();
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
