import type { SubmissionResult } from "@conform-to/dom";
import type { ErrorCode } from "~/utils/error-codes";

/** Why a form did nothing: the same code, fields and figures as in the JSON API's error. */
export interface Refusal {
  code: ErrorCode;
  /** Field name → its messages or message keys. */
  fields: Record<string, string[]>;
  /** Such as a quota in bytes. */
  figures: Record<string, unknown>;
}

/** The result of every page's action, unless it redirects. */
export interface FormResult {
  /** Of a validated form: the values to show again, and the messages of the form and its fields. */
  result?: SubmissionResult<string[]>;
  /** The form asks for the bot challenge from now on. */
  challenged?: boolean;
  /** Of any other form. */
  refusal?: Refusal;
  /** New recovery codes: nothing can show them again, so there is no page to redirect to. */
  recoveryCodes?: string[];
}
