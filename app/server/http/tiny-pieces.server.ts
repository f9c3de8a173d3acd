import type { IncomingMessage } from "node:http";
import { log } from "~/utils/logger.server";

/** Once a body has this many pieces, their average length is checked. */
const JUDGED_PIECES = 1_024;
/** Bytes. Browsers and proxies send chunks of kilobytes; a packet of a slow line has 500 bytes. */
const MIN_AVERAGE = 128;

/**
 * Cuts a connection whose request body arrives in tiny chunks. Each piece costs the same work
 * whatever its length: a megabyte in one-byte chunks blocked the process for seconds, and held its
 * memory as long.
 *
 * Wraps `push`, which Node's parser calls for each piece: no event reports the pieces without
 * reading the body.
 */
export function cutTinyPieces(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  request.push = (piece: Uint8Array | null) => {
    if (piece === null) return push(piece);
    pieces++;
    bytes += piece.length;
    if (pieces < JUDGED_PIECES || bytes / pieces >= MIN_AVERAGE) return push(piece);
    if (!request.destroyed) {
      log().info({ pieces, bytes }, "connection cut: its request came in tiny pieces");
      request.destroy();
      request.socket.destroy();
    }
    return false;
  };
}
