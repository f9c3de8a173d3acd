import type { ErrorRequestHandler } from "express";

interface RefusalOptions {
  status: number;
  type?: "invalid_request_error" | "idempotency_error" | "card_error";
  message: string;
  code?: string;
  param?: string;
  /** Of a card's refusal. */
  declineCode?: string;
  paymentIntent?: object;
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

/** Stripe's refusal of an id; 404 for the one in the path, 400 for a parameter's. */
export function noSuch(
  what: string,
  id: string,
  param: string,
  status: 400 | 404 = 400,
): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  return new StripeRefusal({ status, code: "resource_missing", message, param });
}

/** `{ error: { type, message, code, param, … } }`. Four arguments mark it for Express. */
export const sendStripeRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof StripeRefusal)) return next(error);
  const { status, type = "invalid_request_error", message, code, param } = error.options;
  const { declineCode: decline_code, paymentIntent: payment_intent } = error.options;
  response
    .status(status)
    .json({ error: { type, message, code, param, decline_code, payment_intent } });
};
