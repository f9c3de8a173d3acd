import { data } from "@remix-run/node";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";

/**
 * The answer of a payment form's action that did nothing: the page again with its message, under the
 * error's own status. Whatever is no AppError is thrown on.
 */
export function paymentRefused(error: unknown) {
  if (!(error instanceof AppError)) throw error;
  const { code, status, headers } = error;
  if (status >= 500) log().error({ err: error, code }, "request failed");
  return data({ refusal: { code } }, { status, headers });
}
