import type { RequestHandler } from "express";
import { StripeRefusal } from "./stripe-refusal";

interface Known {
  request: string;
  /** Null while the first request under the key goes on. */
  response: { status: number; body: unknown } | null;
}

/** A bank's refusal is an outcome, and stored like a success. */
const isOutcome = (status: number) => status < 400 || status === 402;

/**
 * A repeated key gets the first response again; with other parameters, or before the first response, it is an error. A request
 * rejected for its parameters isn't stored, so it can be corrected under the same key.
 */
export function replayIdempotent(): RequestHandler {
  const keys = new Map<string, Known>();
  return (request, response, next) => {
    const key = request.get("Idempotency-Key");
    if (request.method !== "POST" || key === undefined) return next();
    if (key.length > 255) {
      const message = "Idempotency keys may be at most 255 characters long.";
      throw new StripeRefusal({ status: 400, message });
    }
    const content = JSON.stringify([request.originalUrl, request.body]);
    const known = keys.get(key);
    if (known && known.request !== content) {
      throw new StripeRefusal({
        status: 400,
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (known && !known.response) {
      throw new StripeRefusal({
        status: 409,
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    }
    if (known?.response) {
      const { status, body } = known.response;
      response.set("Idempotent-Replayed", "true").status(status).json(body);
      return;
    }
    const mine: Known = { request: content, response: null };
    keys.set(key, mine);
    const send = response.json.bind(response);
    response.json = (body: unknown) => {
      if (isOutcome(response.statusCode)) mine.response = { status: response.statusCode, body };
      return send(body);
    };
    response.on("close", () => {
      if (!mine.response) keys.delete(key);
    });
    next();
  };
}
