import type { RequestHandler } from "express";
import { StripeRefusal } from "./stripe-refusal";

interface Responded {
  request: string;
  status: number;
  body: unknown;
}

/**
 * A repeated key gets the first response again; with other parameters it is an error. A request rejected
 * for its parameters isn't stored, so it can be corrected under the same key.
 */
export function replayIdempotent(): RequestHandler {
  const responses = new Map<string, Responded>();
  return (request, response, next) => {
    const key = request.get("Idempotency-Key");
    if (request.method !== "POST" || key === undefined) return next();
    if (key.length > 255) {
      const message = "Idempotency keys may be at most 255 characters long.";
      throw new StripeRefusal({ status: 400, message });
    }
    const content = JSON.stringify([request.originalUrl, request.body]);
    const known = responses.get(key);
    if (known && known.request !== content) {
      throw new StripeRefusal({
        status: 400,
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (known) {
      response.set("Idempotent-Replayed", "true").status(known.status).json(known.body);
      return;
    }
    const send = response.json.bind(response);
    response.json = (body: unknown) => {
      if (response.statusCode < 400)
        responses.set(key, { request: content, status: response.statusCode, body });
      return send(body);
    };
    next();
  };
}
