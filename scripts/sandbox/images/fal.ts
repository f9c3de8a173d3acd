import { randomUUID } from "node:crypto";
import express, { type Response, type Router } from "express";
import { z } from "zod";
import { seedOf } from "./draw";
import type { Fault } from "./faults";
import type { Switchboard } from "./switchboard";
import { countImages, pictureUrl, playOnWire, statusOf } from "./wire";

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

/** Errors of fal's platform, as opposed to a model's. */
const PLATFORM_ERRORS: Record<number, string> = {
  401: "Authentication is required to access this application.",
  403: "User is locked. Reason: Exhausted balance.",
  404: "Application not found",
  429: "Too many requests",
  503: "No runner available",
  504: "Request timed out",
};

/** Routes with the wire format of fal's synchronous endpoint. */
export function falRoutes(switchboard: Switchboard): Router {
  const router = express.Router();
  router.use(express.json());
  router.post("/*", (request, response) => {
    switchboard.count("fal", "generate");
    response.set("x-fal-request-id", randomUUID());
    if (request.get("authorization") !== `Key ${FAL_KEY}`) return sendStatus(response, 401);
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

    const { prompt, num_images, image_size } = input.data;
    const fault = switchboard.take("fal", prompt);
    playOnWire(fault, response, () => {
      const status = statusOf(fault);
      if (status) return sendStatus(response, status, fault);
      if (fault?.fault === "refusal") {
        const type = "content_policy_violation";
        return sendModelErrors(response, 422, [
          { loc: ["body", "prompt"], msg: "Flagged by a content checker.", type, input: prompt },
        ]);
      }
      const picture = { provider: "fal" as const, ...SIZES[image_size], fault };
      const images = Array.from({ length: countImages(num_images, fault) }, (_, number) => ({
        url: pictureUrl(request, { ...picture, seed: seedOf(prompt, number) }),
        ...SIZES[image_size],
        content_type: "image/png",
      }));
      response.json({
        images,
        timings: { inference: 0.1 },
        seed: 1,
        has_nsfw_concepts: images.map(
          (_, at) => fault?.fault === "nsfw_all" || (fault?.fault === "nsfw_some" && at === 0),
        ),
        prompt,
      });
    });
  });
  return router;
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
