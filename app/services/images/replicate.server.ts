import { z } from "zod";
import type { ImageSize } from "~/services/images/image-limits";
import {
  FAILURE_CLASSES,
  type FailureClass,
  type ImageProvider,
  type ImageRequest,
  type ProviderFailure,
  type ProviderResult,
  type ProviderSettings,
} from "~/services/images/image-provider.server";
import { imageUrlSchema } from "~/services/images/image-url.server";
import { mergeResults } from "~/services/images/merge-results.server";
import {
  classifyStatus,
  describe,
  failure,
  parseJson,
  readRetryAfter,
  withoutResponse,
} from "~/services/images/provider-failure.server";
import { CANCEL_MS, LOOK_MS } from "~/services/images/request-times";
import { exchange, type Responded } from "~/services/outgoing/exchange.server";

const RATIOS: Record<ImageSize, string> = { square: "1:1", landscape: "3:2", portrait: "2:3" };

/**
 * Models that take a number of images. Any other model is called once per image, which always works but
 * is slower.
 */
const DRAWS_SEVERAL = new Set([
  "black-forest-labs/flux-schnell",
  "black-forest-labs/flux-dev",
  "stability-ai/sdxl",
  "stability-ai/stable-diffusion",
  "bytedance/sdxl-lightning-4step",
]);

const problemSchema = z.object({ detail: z.string() });

const predictionSchema = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  status: z.string().regex(/^\w{1,32}$/),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});

type Prediction = z.output<typeof predictionSchema>;

const ENDED = ["succeeded", "failed", "canceled", "aborted"];

/** Several predictions of one run have one id: theirs, with spaces between. A call that failed has its class there. */
const SEPARATOR = " ";
const FAILED = "!";

const partOf = (made: Prediction | ProviderFailure): string =>
  "id" in made ? made.id : `${FAILED}${made.status}`;

const failedPart = (part: string): FailureClass | null =>
  FAILURE_CLASSES.find((known) => part === `${FAILED}${known}`) ?? null;

/** Image provider 2. */
export function createReplicate({ apiKey, apiBase, model }: ProviderSettings): ImageProvider {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const outputSchema = z.union([z.array(imageUrlSchema), imageUrlSchema.transform((url) => [url])]);

  async function predict(
    { prompt, size, deadline }: ImageRequest & { deadline: number },
    numOutputs: { num_outputs?: number },
  ): Promise<Prediction | ProviderFailure> {
    const response = await exchange({
      purpose: "replicate",
      url: `${apiBase}/v1/models/${model}/predictions`,
      method: "POST",
      headers: {
        ...headers,
        // Ends the prediction even if nobody can cancel it; Replicate's minimum is 5 seconds.
        "Cancel-After": `${Math.max(5, Math.ceil((deadline - performance.now()) / 1000))}s`,
      },
      body: { input: { prompt, aspect_ratio: RATIOS[size], ...numOutputs } },
      deadline,
    });
    if (response.status !== "responded") return withoutResponse(response);
    if (response.code < 200 || response.code > 299) return classify(response);
    const created = predictionSchema.safeParse(parseJson(response.body));
    return created.success ? created.data : failure("ambiguous", "malformed answer");
  }

  function read({ id: requestId, status, output, error }: Prediction): ProviderResult {
    if (status === "succeeded") {
      const isEmpty = output === null || output === undefined || output === "";
      const urls = outputSchema.safeParse(isEmpty ? [] : output);
      if (!urls.success) return failure("ambiguous", "malformed output", { requestId });
      return urls.data.length > 0
        ? { status: "generated", images: urls.data.map((url) => ({ url })), requestId }
        : failure("refused", "empty output", { requestId });
    }
    const known = status === "failed" ? classifyText(JSON.stringify(error ?? "")) : null;
    return failure(known ?? "ambiguous", `prediction ${status}`, { requestId });
  }

  /** Looks at one prediction; null while it runs, or if the look failed. */
  async function lookAt(id: string, deadline: number): Promise<ProviderResult | null> {
    const failed = failedPart(id);
    if (failed) return failure(failed, "not accepted");
    const response = await exchange({
      purpose: "replicate",
      url: `${apiBase}/v1/predictions/${id}`,
      method: "GET",
      headers,
      deadline: Math.min(deadline, performance.now() + LOOK_MS),
    });
    if (response.status !== "responded") return null;
    if (response.code === 404) return failure("ambiguous", "unknown prediction", { requestId: id });
    const found = predictionSchema.safeParse(parseJson(response.body)).data;
    return response.code === 200 && found && ENDED.includes(found.status) ? read(found) : null;
  }

  return {
    name: "replicate",
    model,
    async submit(request) {
      const made = DRAWS_SEVERAL.has(model)
        ? [await predict(request, { num_outputs: request.n })]
        : await Promise.all(Array.from({ length: request.n }, () => predict(request, {})));
      const predictions = made.filter((one) => "id" in one);
      const areEnded = predictions.every(({ status }) => ENDED.includes(status));
      if (areEnded) return mergeResults(made.map((one) => ("id" in one ? read(one) : one)));
      return { status: "accepted", requestId: made.map(partOf).join(SEPARATOR) };
    },
    requests: {
      async look({ requestId, deadline, isLast = false }) {
        const ids = requestId.split(SEPARATOR);
        const looked = await Promise.all(ids.map((id) => lookAt(id, deadline)));
        const ended = looked.filter((result) => result !== null);
        const isOver = ended.length === ids.length || (isLast && ended.length > 0);
        return isOver ? mergeResults(ended) : { status: "running" };
      },
      async cancel({ requestId }) {
        const ids = requestId.split(SEPARATOR).filter((id) => failedPart(id) === null);
        const cancelled = ids.map((id) =>
          exchange({
            purpose: "replicate",
            url: `${apiBase}/v1/predictions/${id}/cancel`,
            method: "POST",
            headers,
            deadline: performance.now() + CANCEL_MS,
          }),
        );
        await Promise.all(cancelled);
      },
    },
  };
}

/** Replicate has no codes for these, only human-readable text. */
function classifyText(text: string): "refused" | "transient" | null {
  if (/nsfw|flagged as sensitive|\bE005\b/i.test(text)) return "refused";
  if (/high demand|\bE003\b/i.test(text)) return "transient";
  return null;
}

function classify({ code, headers, body }: Responded): ProviderFailure {
  const text = problemSchema.safeParse(parseJson(body)).data?.detail ?? "";
  const byStatus = classifyStatus(code) ?? (code >= 500 ? "transient" : "ambiguous");
  return failure(
    byStatus === "auth" ? byStatus : (classifyText(text) ?? byStatus),
    describe(code),
    { retryAfterMs: readRetryAfter(headers) },
  );
}
