import type { RequestHandler } from "express";
import { inLane } from "~/utils/lanes.server";
import { networksOf } from "~/utils/network-address";

/** A request that takes longer waits for something else than this process. */
const TURN_MS = 250;

/**
 * Lets the requests of different networks take turns: one thread serves them all, so a hundred at once from one
 * machine would stand in front of everybody's next one. A turn ends with the response, or after a quarter of a
 * second: then the request goes on beside those that come next. A request takes one turn, however often it comes here.
 */
export const fairTurns: RequestHandler = (request, response, next) => {
  if (response.locals.hasTurn) return next();
  response.locals.hasTurn = true;
  // The widest network alone: an IPv6 customer has 65,536 narrow ones, and each would get turns.
  const networks = networksOf(request.ip ?? "unknown").slice(-1);
  const turn = () =>
    new Promise<void>((resolve) => {
      // The visitor left while the request waited.
      if (response.closed) return resolve();
      const timer = setTimeout(resolve, TURN_MS);
      response.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      next();
    });
  inLane("requests", turn, { networks }).catch(next);
};
