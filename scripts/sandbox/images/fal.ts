import { randomUUID } from "node:crypto";
import express, { type Request, type Response, type Router } from "express";
import { z } from "zod";
import { createAcceptedRequests } from "./accepted-requests";
import { seedOf } from "./draw";
import type { Fault } from "./faults";
import type { Switchboard } from "./switchboard";
import { countImages, pictureUrl, playOnSubmit, respondAfter, statusOf } from "./wire";

export const FAL_KEY = "fal-sandbox-key";

const MODELS = ["fal-ai/flux/schnell", "fal-ai/flux/dev"];

/** Half the real width and height: quick to draw, and the same shape. */
const SIZES = {
  square_hd: { width: 512, height: 512 },
  square: { width: 256, height: 256 },
  landscape_4_3: { width: 512, height: 384 },
  portrait_4_3: { width: 384, height: 512 },
};

const inputSchema = z.strictObject({
  prompt: z.string().min(1),
  num_images: z.int().min(1).max(4),
  image_size: z.literal(["square_hd", "square", "landscape_4_3", "portrait_4_3"]),
});

type Input = z.output<typeof inputSchema>;

/** Errors of fal's platform, as opposed to a model's. */
const PLATFORM_ERRORS: Record<number, string> = {
  401: "Authentication is required to access this application.",
  403: "User is locked. Reason: Exhausted balance.",
  404: "Application not found",
  429: "Too many requests",
  503: "No runner available",
  504: "Request timed out",
};

/** A result: the status of its response, and its body. */
interface Result {
  code: number;
  body: object;
}

/** Routes with the wire format of fal's queue. */
export function falRoutes(switchboard: Switchboard): Router {
  const requests = createAcceptedRequests<Result>();
  const router = express.Router();
  router.use(express.json());
  router.use((request, response, next) => {
    response.set("x-fal-request-id", randomUUID());
    if (request.get("authorization") === `Key ${FAL_KEY}`) return next();
    if (request.method === "POST") switchboard.count("fal", "generate");
    sendStatus(response, 401);
  });

  router.get("/:owner/:alias/requests/:id/status", (request, response) => {
    switchboard.count("fal", "poll");
    const found = requests.look(request.params.id);
    if (found === "lost") return void response.socket?.resetAndDestroy();
    if (!found) return sendStatus(response, 404);
    const hasFailed = found.state === "cancelled" || found.result.code !== 200;
    const isOver = found.state !== "running";
    response.status(isOver ? 200 : 202).json({
      status: isOver ? "COMPLETED" : "IN_PROGRESS",
      ...addressesOf(request, found.id),
      ...(isOver && hasFailed ? { error: "The request failed." } : {}),
    });
  });

  router.get("/:owner/:alias/requests/:id", (request, response) => {
    const found = requests.look(request.params.id);
    if (found === "lost") return void response.socket?.resetAndDestroy();
    if (!found) return sendStatus(response, 404);
    if (found.state === "running")
      return void response.status(400).json({ detail: "Request is still in progress" });
    if (found.state === "cancelled")
      return void response.status(499).json({ detail: "Request was cancelled" });
    response.status(found.result.code).json(found.result.body);
  });

  router.put("/:owner/:alias/requests/:id/cancel", (request, response) => {
    switchboard.count("fal", "cancel");
    const found = requests.cancel(request.params.id);
    if (!found) return void response.status(404).json({ status: "NOT_FOUND" });
    if (found.state === "ended")
      return void response.status(400).json({ status: "ALREADY_COMPLETED" });
    response.status(202).json({ status: "CANCELLATION_REQUESTED" });
  });

  router.post("/*", (request, response) => {
    switchboard.count("fal", "generate");
    if (!MODELS.includes(request.path.slice(1))) return sendStatus(response, 404);
    const input = inputSchema.safeParse(request.body);
    if (!input.success)
      return sendModelErrors(
        response,
        422,
        input.error.issues.map(({ path, code, message }) => ({
          loc: ["body", ...path],
          msg: message,
          type: code,
          input: request.body,
        })),
      );

    const fault = switchboard.take("fal", input.data.prompt);
    playOnSubmit(fault, response, () => {
      const status = statusOf(fault);
      if (status) return sendStatus(response, status, fault);
      switchboard.count("fal", "paid");
      const id = randomUUID();
      requests.accept({ id, fault, result: resultOf(request, input.data, fault) });
      const accepted = { request_id: id, status: "IN_QUEUE", queue_position: 0 };
      respondAfter(fault, () => response.json({ ...accepted, ...addressesOf(request, id) }));
    });
  });
  return router;
}

function resultOf(request: Request, input: Input, fault: Fault | null): Result {
  const { prompt, num_images, image_size } = input;
  if (fault?.fault === "refusal") {
    const type = "content_policy_violation";
    const msg = "Flagged by a content checker.";
    return { code: 422, body: { detail: [{ loc: ["body", "prompt"], msg, type, input: prompt }] } };
  }
  if (fault?.fault === "failed_prediction")
    return {
      code: 500,
      body: { detail: [{ loc: ["body"], msg: "Failed", type: "internal_server_error" }] },
    };
  const picture = { provider: "fal" as const, ...SIZES[image_size], fault };
  const images = Array.from({ length: countImages(num_images, fault) }, (_, number) => ({
    url: pictureUrl(request, { ...picture, seed: seedOf(prompt, number) }),
    ...SIZES[image_size],
    content_type: "image/png",
  }));
  const isUnsafe = (at: number) =>
    fault?.fault === "nsfw_all" || (fault?.fault === "nsfw_some" && at === 0);
  return {
    code: 200,
    body: {
      images,
      timings: { inference: 0.1 },
      seed: 1,
      has_nsfw_concepts: images.map((_, at) => isUnsafe(at)),
      prompt,
    },
  };
}

/** A request's addresses leave out what follows the first two parts of the model's name. */
function addressesOf(request: Request, id: string) {
  const app = request.path.split("/").slice(1, 3).join("/");
  const base = `${request.protocol}://${request.get("host")}${request.baseUrl}/${app}/requests/${id}`;
  return { response_url: base, status_url: `${base}/status`, cancel_url: `${base}/cancel` };
}

function sendStatus(response: Response, status: number, fault: Fault | null = null): void {
  if (fault?.retryAfter !== undefined) response.set("Retry-After", String(fault.retryAfter));
  if (fault?.retryable !== undefined) response.set("X-Fal-Retryable", String(fault.retryable));
  const detail = PLATFORM_ERRORS[status];
  if (detail) return void response.status(status).json({ detail });
  sendModelErrors(response, status, [
    {
      loc: ["body"],
      msg: `Status ${status}`,
      type: status < 500 ? "value_error" : "internal_server_error",
    },
  ]);
}

function sendModelErrors(response: Response, status: number, detail: object[]): void {
  response.status(status).json({ detail });
}
