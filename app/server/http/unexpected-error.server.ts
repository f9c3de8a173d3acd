import type { ErrorRequestHandler } from "express";
import { sendProblem } from "~/server/problem-response.server";
import { log } from "~/utils/logger.server";

/** The last resort, for what fails outside Remix: logged, and answered without detail. */
export const unexpectedError: ErrorRequestHandler = (error, request, response, _next) => {
  log().error({ err: error }, "unexpected error");
  // Express would end the connection as well, and print the error as it is.
  if (response.headersSent) return void request.socket.destroy();
  sendProblem(response, {
    status: 500,
    code: "internal_error",
    detail: `Something went wrong on our side. If it goes on, report request ${response.locals.requestId}.`,
  });
};
