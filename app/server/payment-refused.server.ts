import { data } from "@remix-run/node";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";

/**
 * Returns the page again with its message, after a payment form's action that did nothing. The
 * status is the error's own. Rethrows errors other than AppError.
 */
export function paymentRefused(error: unknown) {
  if (!(error instanceof AppError)) throw error;
  const { code, status, headers } = error;
  if (status >= 500) log().error({ err: error, code }, "request failed");
  return data({ refusal: { code } }, { status, headers });
}
