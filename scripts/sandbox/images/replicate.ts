import { randomBytes } from "node:crypto";
import express, { type Request, type Response, type Router } from "express";
import { z } from "zod";
import { type AcceptedRequest, createAcceptedRequests } from "./accepted-requests";
import { seedOf } from "./draw";
import type { Fault, FaultName } from "./faults";
import type { Switchboard } from "./switchboard";
import { countImages, pictureUrl, playOnSubmit, respondAfter, statusOf } from "./wire";

export const REPLICATE_KEY = "r8_sandbox_key";

const SIZES = {
  "1:1": { width: 512, height: 512 },
  "3:2": { width: 624, height: 416 },
  "2:3": { width: 416, height: 624 },
};

const oneImage = z.strictObject({
  prompt: z.string().min(1),
  aspect_ratio: z.literal(["1:1", "3:2", "2:3"]),
});
const severalImages = oneImage.extend({ num_outputs: z.int().min(1).max(4) });

const MODELS = new Map([
  ["black-forest-labs/flux-schnell", severalImages],
  ["black-forest-labs/flux-1.1-pro", oneImage],
]);

const headersSchema = z.object({
  "cancel-after": z.string().regex(/^([5-9]|\d{2,})s$/),
});

const TITLES: Record<number, string> = {
  401: "Unauthenticated",
  402: "Insufficient credit",
  404: "Not found",
  422: "Input validation failed",
};

interface Prediction {
  model: string;
  input: Input;
  output: string[] | string | null;
  error: string | null;
}

/** Errors of failed predictions. Replicate gives nothing but the text, so these are its own words. */
const ERRORS: Partial<Record<FaultName, string>> = {
  refusal:
    "The input or output was flagged as sensitive. Please try again with different inputs. (E005)",
  nsfw_all: "NSFW content detected. Try running it again, or try a different prompt.",
  high_demand: "Service is temporarily unavailable due to high demand. Please try later. (E003)",
  failed_prediction: "CUDA out of memory",
};

/** Routes with the wire format of Replicate's predictions. */
export function replicateRoutes(switchboard: Switchboard): Router {
  const predictions = createAcceptedRequests<Prediction>();
  const router = express.Router();
  router.use(express.json());

  router.post("/v1/models/:owner/:name/predictions", (request, response) => {
    const number = switchboard.count("replicate", "generate");
    if (!isSignedIn(request)) return sendProblem(response, 401);
    const model = `${request.params.owner}/${request.params.name}`;
    const schema = MODELS.get(model);
    if (!schema) return sendProblem(response, 404);
    const body = z.strictObject({ input: schema }).safeParse(request.body);
    const headers = headersSchema.safeParse(request.headers);
    if (!body.success) return sendProblem(response, 422, z.prettifyError(body.error));
    if (!headers.success) return sendProblem(response, 400, z.prettifyError(headers.error));

    const { input } = body.data;
    const fault = switchboard.take("replicate", input.prompt);
    playOnSubmit(fault, response, () => {
      const status = statusOf(fault);
      if (status) return sendProblem(response, status, undefined, fault);
      switchboard.count("replicate", "paid");
      const output = listOutputs(request, input, number, fault);
      const error = (fault && ERRORS[fault.fault]) ?? null;
      const id = randomBytes(13).toString("hex");
      const result = { model, input, output, error };
      predictions.accept({ id, result, fault });
      respondAfter(fault, () =>
        response.status(201).json(describe(request, { id, state: "running", result })),
      );
    });
  });

  router.get("/v1/models/:owner/:name", (request, response) => {
    if (!isSignedIn(request)) return sendProblem(response, 401);
    const { owner, name } = request.params;
    if (!MODELS.has(`${owner}/${name}`)) return sendProblem(response, 404);
    response.json({ owner, name, visibility: "public" });
  });

  router.get("/v1/predictions/:id", (request, response) => {
    switchboard.count("replicate", "poll");
    if (!isSignedIn(request)) return sendProblem(response, 401);
    const prediction = predictions.look(request.params.id);
    if (prediction === "lost") return void response.socket?.resetAndDestroy();
    if (!prediction) return sendProblem(response, 404);
    response.json(describe(request, prediction));
  });

  router.post("/v1/predictions/:id/cancel", (request, response) => {
    switchboard.count("replicate", "cancel");
    if (!isSignedIn(request)) return sendProblem(response, 401);
    const prediction = predictions.cancel(request.params.id);
    if (!prediction) return sendProblem(response, 404);
    response.json(describe(request, prediction));
  });
  return router;
}

type Input = z.output<typeof oneImage> & { num_outputs?: number };

/**
 * Returns a list, or a single URL for a model that draws one image per call; `number` is then the
 * call's.
 */
function listOutputs(request: Request, input: Input, number: number, fault: Fault | null) {
  const { prompt, aspect_ratio, num_outputs } = input;
  const urlOf = (at: number) =>
    pictureUrl(request, {
      provider: "replicate",
      seed: seedOf(prompt, at),
      ...SIZES[aspect_ratio],
      fault,
    });
  if (num_outputs === undefined) return urlOf(number);
  // The model leaves out images that its safety checker rejected.
  const dropped = fault?.fault === "nsfw_some" ? 1 : 0;
  return Array.from({ length: countImages(num_outputs, fault) - dropped }, (_, at) => urlOf(at));
}

function describe(request: Request, { id, state, result }: AcceptedRequest<Prediction>) {
  const host = `${request.protocol}://${request.get("host")}${request.baseUrl}`;
  const { model, input, output, error } = result;
  const ended = error ? "failed" : "succeeded";
  const status = { running: "processing", cancelled: "canceled", ended }[state];
  return {
    id,
    model,
    version: "hidden",
    input,
    logs: "",
    output: status === "succeeded" ? output : null,
    error: status === "failed" ? error : null,
    status,
    urls: {
      get: `${host}/v1/predictions/${id}`,
      cancel: `${host}/v1/predictions/${id}/cancel`,
    },
  };
}

function isSignedIn(request: Request): boolean {
  return request.get("authorization") === `Bearer ${REPLICATE_KEY}`;
}

function sendProblem(
  response: Response,
  status: number,
  detail = `Status ${status}`,
  fault: Fault | null = null,
): void {
  if (fault?.retryAfter !== undefined) response.set("Retry-After", String(fault.retryAfter));
  response.status(status).json({ title: TITLES[status] ?? "Error", detail, status });
}
