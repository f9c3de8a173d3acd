import type { ErrorRequestHandler } from "express";
import { sendProblem } from "~/server/problem-response.server";
import { log } from "~/utils/logger.server";

/** The last resort, for what fails outside Remix: logged whole, answered without detail. */
export const unexpectedError: ErrorRequestHandler = (error, _request, response, next) => {
  log().error({ err: error }, "unexpected error");
  if (response.headersSent) return next(error);
  sendProblem(response, {
    status: 500,
    code: "internal_error",
    detail: `Something went wrong on our side. If it goes on, report request ${response.locals.requestId}.`,
  });
};
