import type { ErrorRequestHandler } from "express";

interface RefusalOptions {
  status: number;
  type?: "invalid_request_error" | "idempotency_error";
  message: string;
  code?: string;
  param?: string;
}

/** A request that Stripe would reject, with Stripe's error response. */
export class StripeRefusal extends Error {
  readonly options: RefusalOptions;

  constructor(options: RefusalOptions) {
    super(options.message);
    this.name = "StripeRefusal";
    this.options = options;
  }
}

/** `{ error: { type, message, code, param } }`. Four arguments mark it for Express. */
export const sendStripeRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof StripeRefusal)) return next(error);
  const { status, type = "invalid_request_error", message, code, param } = error.options;
  response.status(status).json({ error: { type, message, code, param } });
};
