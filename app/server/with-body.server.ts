import { AppError } from "~/utils/app-error";
import { inLane, LEAST_PACE } from "~/utils/lanes.server";

/** Reads the next piece of a body. */
type Read = () => Promise<ReadableStreamReadResult<Uint8Array>>;

interface BodyRules {
  /** The lane that a body takes a slot of. */
  lane: "bodies" | "uploads";
  /** Bytes that are read before it takes a slot. A body that is no longer takes none. */
  freeBytes: number;
  /** Bytes of the longest body. */
  limit: number;
  tooLong: () => AppError;
  /** The sender left before the end. */
  brokenOff: (cause: unknown) => AppError;
}

/**
 * Gives a request's body to `work`, piece by piece. A body that goes on takes a slot, and keeps it only
 * while its sender keeps the least pace: one that has sent nothing holds nothing of anybody. The HTTP
 * layer discards what is left unread: cancelling the body would cut the connection before the response is sent.
 * @throws AppError `tooLong`, whether the length was announced or not; `brokenOff`; 408 request_timeout;
 * 429 or 503 of the lane
 */
export async function withBody<T>(
  request: Request,
  { lane, freeBytes, limit, tooLong, brokenOff }: BodyRules,
  work: (pieces: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) throw tooLong();
  const reader = request.body?.getReader();
  if (!reader) return work(bounded([]));
  const read: Read = () =>
    reader.read().catch((cause: unknown) => {
      throw brokenOff(cause);
    });
  try {
    const { pieces, isWhole } = await readFree(read, freeBytes);
    if (isWhole) return await work(bounded(pieces));
    return await inLane(lane, (signal) => work(bounded(pieces, read, signal)));
  } finally {
    reader.releaseLock();
  }

  async function* bounded(pieces: Uint8Array[], rest?: Read, signal?: AbortSignal) {
    let length = 0;
    for await (const piece of inOrder(pieces, rest)) {
      signal?.throwIfAborted();
      length += piece.byteLength;
      if (length > limit) throw tooLong();
      yield piece;
    }
  }
}

/** Reads until more than `freeBytes` have come, or the body has ended. */
async function readFree(read: Read, freeBytes: number) {
  const pieces: Uint8Array[] = [];
  for (let length = 0; length <= freeBytes; ) {
    const { done, value } = await read();
    if (done) return { pieces, isWhole: true };
    pieces.push(value);
    length += value.byteLength;
  }
  return { pieces, isWhole: false };
}

async function* inOrder(pieces: Uint8Array[], rest: Read | undefined) {
  yield* pieces;
  if (rest) yield* paced(rest);
}

const WINDOW_MS = LEAST_PACE.windowSeconds * 1_000;
const LEAST_BYTES = LEAST_PACE.bytesPerSecond * LEAST_PACE.windowSeconds;

/** Ends with an error once a window has brought too little. Only the time spent waiting for the sender counts. */
async function* paced(read: Read) {
  let bytes = 0;
  let leftMs = WINDOW_MS;
  for (;;) {
    const next = read();
    // Rejected if the lock is released before its bytes have come.
    next.catch(() => undefined);
    let began = performance.now();
    while (!(await comesWithin(leftMs, next))) {
      if (bytes < LEAST_BYTES) throw tooSlow();
      bytes = 0;
      leftMs = WINDOW_MS;
      began = performance.now();
    }
    leftMs = Math.max(0, leftMs - (performance.now() - began));
    const { done, value } = await next;
    if (done) return;
    bytes += value.byteLength;
    yield value;
  }
}

function comesWithin(ms: number, next: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, false);
    next.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}

function tooSlow(): AppError {
  return new AppError({
    code: "request_timeout",
    publicMessage: "The body came in too slowly. Nothing was changed. Send it again.",
  });
}
