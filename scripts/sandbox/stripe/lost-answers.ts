import { setTimeout as pause } from "node:timers/promises";
import { type RequestHandler, Router } from "express";
import { z } from "zod";
import { StripeRefusal } from "./stripe-refusal";

const mode = z.strictObject({
  /** `before`: the connection breaks and nothing was done. `after`: it breaks once it was done. */
  lost: z.enum(["no", "before", "after"]).default("no"),
  /** Milliseconds between the effect, with its events, and the response. */
  delayMs: z.int().min(0).max(60_000).default(0),
  /** The secret key may not charge from now on: a restricted one that lost the permission. */
  isForbidden: z.boolean().default(false),
});

export type AnswerMode = ReturnType<typeof createAnswerMode>;

/** Decides whether responses to payments with a kept card arrive. */
export function createAnswerMode() {
  let now = mode.parse({});
  const control = Router();
  control.put("/charges/answers", ({ body }, response) => {
    now = mode.parse(body);
    response.json(now);
  });
  const lose: RequestHandler = ({ socket }, response, next) => {
    const { lost, delayMs, isForbidden } = now;
    if (isForbidden) {
      const message = "The provided key does not have the required permissions for this endpoint.";
      throw new StripeRefusal({ status: 403, message });
    }
    if (lost === "before") return void socket.destroy();
    const send = response.json.bind(response);
    response.json = (content: unknown) => {
      if (lost === "after") socket.destroy();
      if (delayMs > 0) void pause(delayMs).then(() => send(content));
      else send(content);
      return response;
    };
    next();
  };
  return { control, lose };
}
