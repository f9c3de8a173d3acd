import type { ActionFunctionArgs } from "@remix-run/node";
import { AppError } from "~/utils/app-error";

/**
 * Wraps the action of a page. An AppError that the form doesn't show itself (a body that is too
 * long or can't be read) becomes the error page with the error's own status, instead of a 500.
 */
export function pageAction<Result>(
  action: (args: ActionFunctionArgs) => Promise<Result>,
): (args: ActionFunctionArgs) => Promise<Result> {
  return async (args) => {
    try {
      return await action(args);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new Response(null, { status: error.status, headers: error.headers });
    }
  };
}
