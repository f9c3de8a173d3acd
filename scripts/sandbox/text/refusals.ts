import type { Response } from "express";
import type { z } from "zod";
import type { Fault, FaultName } from "./faults";

interface Refusal {
  status: number;
  code: string | null;
  message: string;
  param?: string;
}

const NAMED: Partial<Record<FaultName, Refusal>> = {
  "401": { status: 401, code: "invalid_api_key", message: "Incorrect API key provided." },
  "429": { status: 429, code: "rate_limit_exceeded", message: "Rate limit reached." },
  insufficient_quota: {
    status: 429,
    code: "insufficient_quota",
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
  refusal: {
    status: 400,
    code: "content_policy_violation",
    message: "Your request was rejected by the safety system.",
  },
};

const OLD_LIMIT: Refusal = {
  status: 400,
  code: "unsupported_parameter",
  message: "Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead.",
  param: "max_completion_tokens",
};

/** Sends the refusal that a fault is. Returns false if it is none, for this body. */
export function refuse(fault: Fault | null, body: object, response: Response): boolean {
  if (!fault) return false;
  const { fault: name, retryAfter } = fault;
  const isOld = name === "old_limit" && "max_completion_tokens" in body;
  const status = /^\d{3}$/.test(name) ? Number(name) : null;
  const refusal =
    NAMED[name] ??
    (isOld ? OLD_LIMIT : status && { status, code: null, message: `Status ${status}` });
  if (!refusal) return false;
  if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
  sendRefusal(response, refusal);
  return true;
}

/** Sends an error as OpenAI does. */
export function sendRefusal(response: Response, refusal: Refusal): void {
  const { status, code, message, param = null } = refusal;
  const type = status < 500 ? "invalid_request_error" : "server_error";
  response.status(status).json({ error: { message, type, param, code } });
}

export const unknownModel = (model: string): Refusal => ({
  status: 404,
  code: "model_not_found",
  message: `The model '${model}' does not exist.`,
  param: "model",
});

export const wrongKey: Refusal = { status: 401, code: "invalid_api_key", message: "Wrong key." };

/** The error for a body that isn't as documented. */
export function malformed(issue: z.core.$ZodIssue | undefined): Refusal {
  const isUnknown = issue?.code === "unrecognized_keys";
  const param = (isUnknown ? issue.keys[0] : issue?.path.join(".")) ?? "";
  const code = isUnknown ? "unknown_parameter" : "invalid_value";
  return { status: 400, code, message: `${code}: '${param}'`, param };
}
