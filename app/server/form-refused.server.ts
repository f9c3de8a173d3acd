import type { Submission, SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { ValidationKey } from "~/i18n/validation-key";
import { AppError } from "~/utils/app-error";

/** The form's message for each AppError code; a form doesn't show other errors. */
const FORM_MESSAGES: Record<string, ValidationKey> = {
  invalid_credentials: "validation.credentialsWrong",
  wrong_password: "validation.passwordWrong",
  account_disabled: "validation.accountDisabled",
  rate_limited: "validation.rateLimited",
  busy: "validation.busy",
  plan_running: "validation.planRunning",
  generation_running: "validation.generationRunning",
  provider_error: "validation.planUnconfirmed",
  payments_unavailable: "validation.planUnconfirmed",
  email_unavailable: "validation.emailUnavailable",
};

interface RefusedForm {
  submission: Submission<unknown, string[], unknown>;
  /** Fields whose values must not be sent back to the page. */
  hide: string[];
  error?: unknown;
  fieldErrors?: Record<string, ValidationKey[]>;
}

/**
 * Returns the page again with its messages, after a form's action that changed nothing. The status
 * fits the error (400 for invalid fields). Rethrows errors that a form doesn't show.
 */
export function formRefused({ submission, hide, error, fieldErrors }: RefusedForm) {
  if (error === undefined) {
    const result = submission.reply({ hideFields: hide, ...(fieldErrors ? { fieldErrors } : {}) });
    return data<{ result: SubmissionResult<string[]> }>({ result }, { status: 400 });
  }
  const message = error instanceof AppError ? FORM_MESSAGES[error.code] : undefined;
  if (!(error instanceof AppError) || !message) throw error;
  const result = submission.reply({ hideFields: hide, formErrors: [message] });
  return data<{ result: SubmissionResult<string[]> }>(
    { result },
    { status: error.status, headers: error.headers },
  );
}
