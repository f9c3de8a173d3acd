import type { ActionFunctionArgs, TypedResponse } from "@remix-run/node";
import type { formRefused } from "~/server/form-refused.server";
import { AppError } from "~/utils/app-error";

/** A redirect, or the page again. */
type PageOutcome = TypedResponse<never> | ReturnType<typeof formRefused>;
type PageAction = (args: ActionFunctionArgs) => Promise<PageOutcome>;

/**
 * Wraps the action of a page. An AppError that the form doesn't show itself (a body that is too
 * long or can't be read) becomes the error page with the error's own status, instead of a 500.
 */
export function pageAction(action: PageAction): PageAction {
  return async (args) => {
    try {
      return await action(args);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new Response(null, { status: error.status, headers: error.headers });
    }
  };
}
