import { randomUUID } from "node:crypto";
import express, { type Response, type Router } from "express";
import { z } from "zod";
import { drawPicture, seedOf } from "./draw";
import type { Fault } from "./faults";
import { HTML_PAGE, hugePng } from "./pictures";
import type { Switchboard } from "./switchboard";
import { countImages, playOnWire, statusOf } from "./wire";

export const OPENAI_KEY = "sk-sandbox-key";

/** Half the real width and height: quick to draw, and the same shape. */
const SIZES = {
  "1024x1024": { width: 512, height: 512 },
  "1536x1024": { width: 768, height: 512 },
  "1024x1536": { width: 512, height: 768 },
};

/** Each model with its last day. `gpt-image-1` is gone since 2026-10-23. */
const MODELS = new Map<string, string | null>([
  ["gpt-image-2.6-flare", null],
  ["gpt-image-2.6-sunburst", null],
  ["gpt-image-1.5", "2026-12-01"],
  ["gpt-image-1-mini", "2026-12-01"],
  ["chatgpt-image-latest", "2026-12-01"],
]);

const inputSchema = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10),
  size: z.literal(["1024x1024", "1536x1024", "1024x1536"]),
});

const REFUSED = "Your request was rejected by the safety system.";
const NAMED: Partial<Record<Fault["fault"], { status: number; code: string; message: string }>> = {
  refusal: { status: 400, code: "moderation_blocked", message: REFUSED },
  nsfw_all: { status: 400, code: "content_policy_violation", message: REFUSED },
  insufficient_quota: {
    status: 429,
    code: "insufficient_quota",
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
  billing_limit: {
    status: 400,
    code: "billing_hard_limit_reached",
    message: "Billing hard limit has been reached",
  },
};
const CODES: Record<number, string> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};

/**
 * Routes with the wire format of OpenAI's image endpoint for GPT image models: they return bytes, never
 * a URL.
 */
export function openaiRoutes(switchboard: Switchboard): Router {
  const router = express.Router();
  router.use(express.json());
  router.post("/v1/images/generations", (request, response) => {
    switchboard.count("openai", "generate");
    response.set("x-request-id", `req_${randomUUID().replaceAll("-", "")}`);
    if (request.get("authorization") !== `Bearer ${OPENAI_KEY}`) return sendStatus(response, 401);
    const input = inputSchema.safeParse(request.body);
    if (!input.success) return sendInvalid(response, request.body, input.error.issues[0]);
    if (!isServed(input.data.model)) return sendGone(response, input.data.model);

    const { prompt, n, size } = input.data;
    const fault = switchboard.take("openai", prompt);
    // It makes the images first, whether or not the response arrives.
    if (!statusOf(fault) && !(fault && NAMED[fault.fault])) switchboard.count("openai", "paid");
    playOnWire(fault, response, () => {
      const status = statusOf(fault);
      if (status) return sendStatus(response, status, fault);
      const named = fault && NAMED[fault.fault];
      if (named) return sendError(response, named.status, named.code, named.message);
      const dropped = fault?.fault === "nsfw_some" ? 1 : 0;
      response.json({
        created: Math.floor(Date.now() / 1000),
        data: Array.from({ length: countImages(n, fault) - dropped }, (_, number) => ({
          b64_json: draw(seedOf(prompt, number), size, fault).toString("base64"),
        })),
        output_format: "png",
        size,
        usage: { input_tokens: 10, output_tokens: 1000 * n, total_tokens: 10 + 1000 * n },
      });
    });
  });
  router.get("/v1/models/:model", (request, response) => {
    const { model } = request.params;
    if (request.get("authorization") !== `Bearer ${OPENAI_KEY}`) return sendStatus(response, 401);
    if (!isServed(model)) return sendGone(response, model);
    const shutdownDate = MODELS.get(model) ?? null;
    response.json({ id: model, object: "model", owned_by: "openai", shutdown_date: shutdownDate });
  });
  return router;
}

function isServed(model: string): boolean {
  const lastDay = MODELS.get(model);
  if (lastDay === undefined) return false;
  return lastDay === null || new Date().toISOString().slice(0, 10) < lastDay;
}

function sendGone(response: Response, model: string): void {
  sendError(response, 404, "model_not_found", `The model '${model}' does not exist.`, "model");
}

function draw(seed: string, size: keyof typeof SIZES, fault: Fault | null): Buffer {
  if (fault?.fault === "image_30mb") return hugePng();
  if (fault?.fault === "image_html") return Buffer.from(HTML_PAGE);
  return drawPicture(seed, SIZES[size].width, SIZES[size].height);
}

function sendStatus(response: Response, status: number, fault: Fault | null = null): void {
  if (fault?.retryAfter !== undefined) response.set("Retry-After", String(fault.retryAfter));
  sendError(response, status, CODES[status] ?? null, `Status ${status}`);
}

function sendInvalid(response: Response, body: object, issue?: z.core.$ZodIssue): void {
  const isUnknown = issue?.code === "unrecognized_keys";
  const param = (isUnknown ? issue.keys[0] : issue?.path.join(".")) ?? "";
  const code = isUnknown
    ? "unknown_parameter"
    : Object.hasOwn(body, param)
      ? "invalid_value"
      : "missing_required_parameter";
  sendError(response, 400, code, `${code}: '${param}'`, param);
}

function sendError(
  response: Response,
  status: number,
  code: string | null,
  message: string,
  param: string | null = null,
): void {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  response.status(status).json({ error: { message, type, param, code } });
}
