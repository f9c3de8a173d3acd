import { STATUS_CODES } from "node:http";
import { ERROR_STATUS, type ErrorCode } from "~/utils/error-codes";

/** A request of an operation and its response. A test sends each to the built server. */
export interface Example {
  /** The request's JSON. */
  body?: object;
  status: number;
  response: object;
}

/** By the operation's id, then by a name that says what is special. */
export type Examples = Record<string, Record<string, Example>>;

/** The response with this error; `more` are the members that the code adds. */
export function problem(code: ErrorCode, detail: string, more: object = {}) {
  const status = ERROR_STATUS[code];
  return {
    status,
    response: { type: "about:blank", title: STATUS_CODES[status], status, detail, code, ...more },
  };
}

export const FILE_ID = "ceabfd94-2680-47f9-b025-341c48c935a1";
export const SUBSCRIPTION_ID = "4f0c7a0e-6a4c-4a39-9d0e-0a5b2f1f8f9d";
