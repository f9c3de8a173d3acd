import type { ActionFunctionArgs } from "@remix-run/node";
import { AppError } from "~/utils/app-error";

/**
 * The action of a page: an AppError that its form does not show by itself (a body too long, one
 * that cannot be read) becomes the error page under the error's own status, instead of a 500.
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
