import { z } from "zod";
import type { ImageSize } from "~/services/images/image-limits";
import type {
  ImageProvider,
  ProviderFailure,
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
import { exchange, type Responded } from "~/services/outgoing/exchange.server";

const SIZES: Record<ImageSize, string> = {
  square: "square_hd",
  landscape: "landscape_4_3",
  portrait: "portrait_4_3",
};

/** A model's errors are a list; the platform's errors are text instead. */
const errorSchema = z.object({ detail: z.array(z.object({ type: z.string() })).min(1) });

/** Image provider 1, through its synchronous endpoint. */
export function createFal({ apiKey, apiBase, model }: ProviderSettings): ImageProvider {
  const responseSchema = z.object({
    images: z
      .array(z.object({ url: imageUrlSchema(apiBase), content_type: z.string().nullish() }))
      .min(1),
    has_nsfw_concepts: z.array(z.boolean()).nullish(),
  });

  return {
    name: "fal",
    async generate({ prompt, n, size, deadline }) {
      const response = await exchange({
        purpose: "fal",
        url: `${apiBase}/${model}`,
        method: "POST",
        headers: { Authorization: `Key ${apiKey}` },
        body: { prompt, num_images: n, image_size: SIZES[size] },
        deadline,
      });
      if (response.status !== "responded") return withoutResponse(response);
      if (response.code !== 200) return classify(response);

      const requestId = readHeader(response.headers, "x-fal-request-id");
      const parsed = responseSchema.safeParse(parseJson(response.body));
      if (!parsed.success) return failure("ambiguous", "malformed response", { requestId });
      const flags = parsed.data.has_nsfw_concepts ?? [];
      const images = parsed.data.images
        .filter((_, at) => !flags[at])
        .map(({ url, content_type }) => ({ url, contentType: content_type ?? undefined }));
      return images.length > 0
        ? { status: "generated", images, requestId }
        : failure("refused", "nsfw", { requestId });
    },
  };
}

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
