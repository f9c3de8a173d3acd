import { z } from "zod";
import type { ImageSize } from "~/services/images/image-limits";
import type {
  ImageProvider,
  ImageRequest,
  ProviderFailure,
  ProviderResult,
  ProviderSettings,
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
import {
  awaitPrediction,
  type Prediction,
  predictionSchema,
} from "~/services/images/replicate-prediction.server";
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

interface ReplicateSettings extends ProviderSettings {
  /** Milliseconds before the first poll of an unfinished prediction; the interval grows from there. */
  pollMs?: number;
}

/** Image provider 2. A prediction that outlives the call is polled, and cancelled on giving up. */
export function createReplicate(settings: ReplicateSettings): ImageProvider {
  const { apiKey, apiBase, model, pollMs = 500 } = settings;
  const headers = { Authorization: `Bearer ${apiKey}` };
  const outputSchema = z.union([
    z.array(imageUrlSchema(apiBase)),
    imageUrlSchema(apiBase).transform((url) => [url]),
  ]);

  async function predict(
    request: ImageRequest & { deadline: number },
    numOutputs: { num_outputs?: number },
  ): Promise<ProviderResult> {
    const { prompt, size, deadline } = request;
    const secondsLeft = (deadline - performance.now()) / 1000;
    const response = await exchange({
      purpose: "replicate",
      url: `${apiBase}/v1/models/${model}/predictions`,
      method: "POST",
      headers: {
        ...headers,
        // Half the time: if the response never comes there is no id, and nothing could be cancelled.
        Prefer: `wait=${Math.min(60, Math.max(1, Math.floor(secondsLeft / 2)))}`,
        // Ends the prediction even if this process cannot; Replicate's minimum is 5 seconds.
        "Cancel-After": `${Math.max(5, Math.ceil(secondsLeft))}s`,
      },
      body: { input: { prompt, aspect_ratio: RATIOS[size], ...numOutputs } },
      deadline,
    });
    if (response.status !== "responded") return withoutResponse(response);
    if (response.code < 200 || response.code > 299) return classify(response);

    const created = predictionSchema.safeParse(parseJson(response.body));
    if (!created.success) return failure("ambiguous", "malformed answer");
    const ended = await awaitPrediction({
      prediction: created.data,
      apiBase,
      headers,
      deadline,
      pollMs,
    });
    const requestId = created.data.id;
    return ended ? read(ended) : failure("ambiguous", "prediction timed out", { requestId });
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

  return {
    name: "replicate",
    async generate(request) {
      if (DRAWS_SEVERAL.has(model)) return predict(request, { num_outputs: request.n });
      return mergeResults(
        await Promise.all(Array.from({ length: request.n }, () => predict(request, {}))),
      );
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
