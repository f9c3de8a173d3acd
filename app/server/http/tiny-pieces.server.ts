import type { IncomingMessage } from "node:http";
import { log } from "~/utils/logger.server";

/** Once a body has this many pieces, their average length is checked. */
const JUDGED_PIECES = 1_024;
/**
 * Bytes. A packet of a slow line has 500. Chunks have the length that their sender likes, so one packet can hold
 * hundreds: browsers send none, programs and proxies send kilobytes, of which packets leave 600 bytes on average.
 */
const MIN_AVERAGE = { chunked: 512, packets: 128 };

/**
 * Cuts a connection whose request body arrives in tiny chunks. Each piece costs the same work
 * whatever its length: a megabyte in one-byte chunks blocked the process for seconds, and held its
 * memory as long.
 *
 * Wraps `push`, which Node's parser calls for each piece: no event reports the pieces without
 * reading the body.
 */
export function cutTinyPieces(request: IncomingMessage): void {
  const least = MIN_AVERAGE[request.headers["transfer-encoding"] ? "chunked" : "packets"];
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  request.push = (piece: Uint8Array | null) => {
    if (piece === null) return push(piece);
    pieces++;
    bytes += piece.length;
    if (pieces < JUDGED_PIECES || bytes / pieces >= least) return push(piece);
    if (!request.destroyed) {
      log().info({ pieces, bytes }, "connection cut: its request came in tiny pieces");
      request.destroy();
      request.socket.destroy();
    }
    return false;
  };
}
