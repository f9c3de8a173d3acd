import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { ErrorRequestHandler } from "express";
import type { z } from "zod";

/** A request that Creem would reject. */
export class CreemRefusal extends Error {
  readonly status: number;
  readonly messages: string[];

  constructor(status: number, messages: string[]) {
    super(messages.join("; "));
    this.name = "CreemRefusal";
    this.status = status;
    this.messages = messages;
  }
}

/** Parses a JSON body with `schema`. @throws CreemRefusal naming every fault */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const messages = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `property ${issue.keys.join(", ")} should not exist`
      : `${issue.path.join(".") || "body"}: ${issue.message}`,
  );
  throw new CreemRefusal(400, messages);
}

/** `{ trace_id, status, error, message[], timestamp }`. Four arguments mark it for Express. */
export const sendCreemRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  const refusal = error instanceof SyntaxError ? new CreemRefusal(400, [error.message]) : error;
  if (!(refusal instanceof CreemRefusal)) return next(error);
  response.status(refusal.status).json({
    trace_id: randomUUID(),
    status: refusal.status,
    error: STATUS_CODES[refusal.status],
    message: refusal.messages,
    timestamp: Date.now(),
  });
};
