import type { IncomingMessage } from "node:http";
import { log } from "~/utils/logger.server";

/** A body that came in so many pieces is judged by their average length. */
const JUDGED_PIECES = 1_024;
/** Bytes. The chunks of browsers and proxies have kilobytes, and a packet of a slow line has 500. */
const MIN_AVERAGE = 128;

/**
 * Cuts a connection whose request body comes in tiny chunks. Each piece costs the same work whatever
 * its length: a megabyte in chunks of one byte held the process for seconds, and its memory for as long.
 *
 * `push` is what Node's parser calls for each piece. No event tells of them without reading the body.
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
