import type { ErrorRequestHandler } from "express";
import { problemOf, sendProblem } from "~/server/problem-response.server";

/** Responds to errors outside Remix. */
export const unexpectedError: ErrorRequestHandler = (error, request, response, _next) => {
  const problem = problemOf(error);
  // Express would end the connection as well, but print the whole error.
  if (response.headersSent) return void request.socket.destroy();
  sendProblem(response, problem);
};
