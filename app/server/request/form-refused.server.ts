import type { Submission } from "@conform-to/dom";
import { data } from "@remix-run/node";
import { limitedMessage, type ValidationKey } from "~/i18n/validation-key";
import { logFault } from "~/server/request/log-fault.server";
import { AppError } from "~/utils/app-error";
import { ERROR_STATUS, type ErrorCode } from "~/utils/error-codes";
import type { FormResult } from "~/utils/form-result";

/** The message of a conform form for each error it shows; other errors have the error page. */
const FORM_MESSAGES: Partial<Record<ErrorCode, ValidationKey>> = {
  invalid_credentials: "validation.credentialsWrong",
  wrong_password: "validation.passwordWrong",
  wrong_code: "validation.codeWrong",
  passkey_refused: "validation.passkeyRefused",
  account_disabled: "validation.accountDisabled",
  account_held: "validation.accountHeld",
  challenge_failed: "validation.challengeFailed",
  challenge_required: "validation.challengeRequired",
  challenge_unavailable: "validation.challengeUnavailable",
  rate_limited: "validation.rateLimited",
  busy: "validation.busy",
  plan_running: "validation.planRunning",
  generation_running: "validation.generationRunning",
  top_up_running: "validation.topUpRunning",
  provider_error: "validation.planUnconfirmed",
  payments_unavailable: "validation.planUnconfirmed",
  email_unavailable: "validation.emailUnavailable",
  email_unverified: "validation.emailUnverified",
  insufficient_credits: "validation.creditsInsufficient",
  too_many_keys: "validation.tooManyKeys",
  limit_reached: "validation.limitReached",
  prompt_rejected: "validation.promptRejected",
  generation_unavailable: "validation.generationUnavailable",
  idempotency_in_progress: "validation.generationInProgress",
  idempotency_mismatch: "validation.formStale",
};

/** A form parsed by conform. Without an error, its fields were invalid. */
interface ConformForm {
  submission: Submission<unknown, string[], unknown>;
  /** Fields whose values must not be sent back to the page. */
  hide: string[];
  error?: unknown;
  /** Whether the form asked for the bot challenge. */
  challenged?: boolean;
  fieldErrors?: Record<string, ValidationKey[]>;
  /** Further headers of the response to an error. */
  headers?: Record<string, string>;
}

/** A form without conform; its page has a text for each code. */
interface PlainForm {
  error: unknown;
}

/**
 * Returns the page again with its messages, after a form's action that changed nothing. The status
 * is the error's own, and 400 for invalid fields. Rethrows errors that the page doesn't show.
 */
export function formRefused(form: ConformForm | PlainForm) {
  const { error } = form;
  if ("submission" in form && error === undefined) {
    const { submission, hide, challenged = false, fieldErrors } = form;
    const result = submission.reply({ hideFields: hide, ...(fieldErrors ? { fieldErrors } : {}) });
    return data<FormResult>({ result, challenged }, { status: ERROR_STATUS.invalid_input });
  }
  if (!(error instanceof AppError)) throw error;
  const { status, headers } = error;
  const response = "submission" in form ? conformResult(form, error) : plainResult(error);
  logFault(error);
  const own = "headers" in form ? form.headers : {};
  return data<FormResult>(response, { status, headers: { ...headers, ...own } });
}

function conformResult({ submission, hide, challenged }: ConformForm, error: AppError): FormResult {
  const message = FORM_MESSAGES[error.code];
  if (!message) throw error;
  const shown = error.code === "rate_limited" ? limitedMessage(retryAfterOf(error)) : message;
  return {
    result: submission.reply({ hideFields: hide, formErrors: [shown] }),
    challenged: challenged === true || error.code.startsWith("challenge_"),
  };
}

function plainResult(error: AppError): FormResult {
  const { code, fields = {}, extra } = error;
  const seconds = Number(retryAfterOf(error));
  const figures = seconds > 0 ? { ...extra, retryAfterSeconds: seconds } : extra;
  return { refusal: { code, fields, figures } };
}

const retryAfterOf = ({ headers }: AppError): string | undefined => headers["Retry-After"];
