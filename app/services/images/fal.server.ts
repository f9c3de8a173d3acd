import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ImageSize } from "~/services/images/image-limits";
import type {
  AcceptedRequest,
  ImageProvider,
  ProviderFailure,
  ProviderResult,
  ProviderSettings,
} from "~/services/images/image-provider.server";
import { imageUrlSchema } from "~/services/images/image-url.server";
import {
  classifyStatus,
  describe,
  failure,
  parseJson,
  readHeader,
  readRetryAfter,
  withoutResponse,
} from "~/services/images/provider-failure.server";
import { CANCEL_MS, LOOK_MS } from "~/services/images/request-times";
import { exchange, type Responded } from "~/services/outgoing/exchange.server";

const SIZES: Record<ImageSize, string> = {
  square: "square_hd",
  landscape: "landscape_4_3",
  portrait: "portrait_4_3",
};

/** A model's errors are a list; the platform's errors are text instead. */
const errorSchema = z.object({ detail: z.array(z.object({ type: z.string() })).min(1) });

const acceptedSchema = z.object({ request_id: z.string().regex(/^[\w-]{1,100}$/) });

/** `error` stands beside `COMPLETED` if the request failed. */
const statusSchema = z.object({ status: z.string(), error: z.unknown().optional() });

/** A server error at the result is the model's own if it comes this often. */
const TRIES = 3;
const RETRY_MS = 300;

interface FalSettings extends Omit<ProviderSettings, "apiBase"> {
  /** Origin and path of the queue. */
  queueBase: string;
}

/** Image provider 1, through its queue. */
export function createFal({ apiKey, queueBase, model }: FalSettings): ImageProvider {
  const headers = { Authorization: `Key ${apiKey}` };
  const imagesSchema = z.object({
    images: z.array(z.object({ url: imageUrlSchema, content_type: z.string().nullish() })).min(1),
    has_nsfw_concepts: z.array(z.boolean()).nullish(),
  });

  /** The addresses of a request leave out what follows the first two parts of the model's name. */
  const addressOf = ({ requestId, model }: Omit<AcceptedRequest, "deadline">) =>
    `${queueBase}/${model.split("/").slice(0, 2).join("/")}/requests/${requestId}`;

  function read(body: unknown, requestId: string | null): ProviderResult {
    const parsed = imagesSchema.safeParse(body);
    if (!parsed.success) return failure("ambiguous", "malformed response", { requestId });
    const flags = parsed.data.has_nsfw_concepts ?? [];
    const images = parsed.data.images
      .filter((_, at) => !flags[at])
      .map(({ url, content_type }) => ({ url, contentType: content_type ?? undefined }));
    return images.length > 0
      ? { status: "generated", images, requestId }
      : failure("refused", "nsfw", { requestId });
  }

  async function fetchResult(request: AcceptedRequest, hasFailed: boolean) {
    const { requestId, deadline } = request;
    for (let tries = 1; ; tries += 1) {
      const response = await exchange({
        purpose: "fal",
        url: addressOf(request),
        method: "GET",
        headers,
        deadline: Math.min(deadline, performance.now() + LOOK_MS),
      });
      if (response.status === "responded" && response.code === 200)
        return read(parseJson(response.body), requestId);
      const isCertain =
        response.status === "responded" &&
        (hasFailed || (response.code < 500 && response.code !== 429));
      if (isCertain) return { ...classify(response), requestId };
      if (tries === TRIES)
        return response.status === "responded" && response.code !== 429
          ? { ...ofAccepted(classify(response)), requestId }
          : ({ status: "running" } as const);
      await sleep(RETRY_MS);
    }
  }

  return {
    name: "fal",
    model,
    async submit({ prompt, n, size, deadline }) {
      const response = await exchange({
        purpose: "fal",
        url: `${queueBase}/${model}`,
        method: "POST",
        headers,
        body: { prompt, num_images: n, image_size: SIZES[size] },
        deadline,
      });
      if (response.status !== "responded") return withoutResponse(response);
      if (response.code < 200 || response.code > 299) return classify(response);
      const body = parseJson(response.body);
      const accepted = acceptedSchema.safeParse(body);
      // A gateway in front of fal may wait for the result itself.
      const isResult = typeof body === "object" && body !== null && "images" in body;
      return accepted.success && !isResult
        ? { status: "accepted", requestId: accepted.data.request_id }
        : read(body, readHeader(response.headers, "x-fal-request-id"));
    },
    requests: {
      async look(request) {
        const response = await exchange({
          purpose: "fal",
          url: `${addressOf(request)}/status`,
          method: "GET",
          headers,
          deadline: Math.min(request.deadline, performance.now() + LOOK_MS),
        });
        if (response.status !== "responded") return { status: "running" };
        const { requestId } = request;
        if (response.code === 404) return failure("ambiguous", "unknown request", { requestId });
        const found = statusSchema.safeParse(parseJson(response.body));
        if (found.data?.status !== "COMPLETED") return { status: "running" };
        return fetchResult(request, Boolean(found.data.error));
      },
      async cancel(request) {
        await exchange({
          purpose: "fal",
          url: `${addressOf(request)}/cancel`,
          method: "PUT",
          headers,
          deadline: performance.now() + CANCEL_MS,
        });
      },
    },
  };
}

/** The queue names no failure of the request, so it may have been served and paid for. */
const ofAccepted = (failed: ProviderFailure): ProviderFailure =>
  failed.status === "transient" ? { ...failed, status: "ambiguous" } : failed;

function classify({ code, headers, body }: Responded): ProviderFailure {
  const type = errorSchema.safeParse(parseJson(body)).data?.detail[0]?.type;
  const details = {
    retryAfterMs: readRetryAfter(headers),
    requestId: readHeader(headers, "x-fal-request-id"),
  };
  const reason = describe(code, type);
  if (type === "content_policy_violation") return failure("refused", reason, details);

  const byStatus = classifyStatus(code) ?? (code === 502 || code === 504 ? "transient" : null);
  if (byStatus === "auth") return failure("auth", reason, details);
  const retryable = readHeader(headers, "x-fal-retryable");
  if (retryable === "true") return failure("transient", reason, details);
  if (retryable === "false" && byStatus === "transient")
    // fal says that a retry is pointless: a 429 is then a quota, a 5xx a fault of the model.
    return failure(code === 429 ? "auth" : "ambiguous", reason, details);
  return failure(byStatus ?? "ambiguous", reason, details);
}
