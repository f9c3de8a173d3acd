import type { ErrorRequestHandler } from "express";
import { sendProblem } from "~/server/problem-response.server";
import { log } from "~/utils/logger.server";

/** Last resort for errors outside Remix: logs the error and responds without detail. */
export const unexpectedError: ErrorRequestHandler = (error, request, response, _next) => {
  log().error({ err: error }, "unexpected error");
  // Express would end the connection as well, but print the whole error.
  if (response.headersSent) return void request.socket.destroy();
  sendProblem(response, {
    code: "internal_error",
    detail: `Something went wrong on our side. Try again in a moment. If this keeps happening, report request ${response.locals.requestId}.`,
  });
};
