import { STATUS_CODES } from "node:http";
import type { Response as ExpressResponse } from "express";
import { logFault } from "~/server/request/log-fault.server";
import { asAppError } from "~/utils/app-error";
import { ERROR_STATUS, type ErrorCode } from "~/utils/error-codes";
import { log } from "~/utils/logger.server";
import { currentRequestId, mayChange } from "~/utils/request-context.server";

const PROBLEM_MEDIA_TYPE = "application/problem+json; charset=utf-8";

interface ProblemOptions {
  code: ErrorCode;
  detail: string;
  /** Field name → what is wrong with it. */
  errors?: Record<string, string[]> | undefined;
  extra?: Record<string, unknown>;
  headers?: HeadersInit;
}

/**
 * Builds an RFC 9457 document. `type` is `about:blank`, so `title` is the phrase of the code's status.
 */
export function problemDocument({ code, detail, errors, extra }: ProblemOptions) {
  const status = ERROR_STATUS[code];
  return {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail,
    code,
    ...(errors ? { errors } : {}),
    ...extra,
  };
}

/** Returns a problem document as a resource route's response. */
export function problemResponse(options: ProblemOptions): Response {
  const headers = new Headers(options.headers);
  headers.set("Content-Type", PROBLEM_MEDIA_TYPE);
  headers.set("Cache-Control", "no-store");
  return new Response(JSON.stringify(problemDocument(options)), {
    status: ERROR_STATUS[options.code],
    headers,
  });
}

/** Sends a problem document from middleware that responds before Remix. */
export function sendProblem(response: ExpressResponse, options: ProblemOptions): void {
  response.status(ERROR_STATUS[options.code]).setHeaders(new Headers(options.headers));
  response
    .set({ "Content-Type": PROBLEM_MEDIA_TYPE, "Cache-Control": "no-store" })
    .send(JSON.stringify(problemDocument(options)));
}

/**
 * Describes an error that was thrown while a request was served. An AppError has its own message. Any other
 * error is logged in full, and the response is a fixed text with the request's id.
 */
export function problemOf(error: unknown): ProblemOptions {
  const expected = asAppError(error, { mayChange: mayChange() });
  if (expected) {
    logFault(expected);
    const { code, publicMessage, fields, extra, headers } = expected;
    return { code, detail: publicMessage, errors: fields, extra, headers };
  }
  log().error({ err: error }, "unexpected error");
  return {
    code: "internal_error",
    detail: `Something went wrong on our side. Try again in a moment. If this keeps happening, report request ${currentRequestId()}.`,
  };
}
