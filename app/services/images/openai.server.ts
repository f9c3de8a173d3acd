import { z } from "zod";
import type { ImageSize } from "~/services/images/image-limits";
import type {
  ImageProvider,
  ProviderFailure,
  ProviderSettings,
} from "~/services/images/image-provider.server";
import { imageUrlSchema } from "~/services/images/image-url.server";
import { classifyOpenai } from "~/services/images/openai-failure.server";
import {
  failure,
  parseJson,
  readHeader,
  readRetryAfter,
  withoutResponse,
} from "~/services/images/provider-failure.server";
import { exchange, type Responded } from "~/services/outgoing/exchange.server";

const SIZES: Record<ImageSize, string> = {
  square: "1024x1024",
  landscape: "1536x1024",
  portrait: "1024x1536",
};

/** Image provider 3. Its default model returns only bytes, so its images are data URLs. */
export function createOpenai({ apiKey, apiBase, model }: ProviderSettings): ImageProvider {
  const responseSchema = z.object({
    data: z
      .array(
        z.union([
          z.object({ b64_json: z.string().min(1) }),
          // Older models return a URL unless told otherwise.
          z.object({ url: imageUrlSchema }),
        ]),
      )
      .min(1),
    output_format: z.enum(["png", "jpeg", "webp"]).catch("png"),
  });

  return {
    name: "openai",
    model,
    requests: null,
    async submit({ prompt, n, size, deadline }) {
      const response = await exchange({
        purpose: "openai",
        url: `${apiBase}/v1/images/generations`,
        method: "POST",
        headers: { Authorization: `Bearer ${apiKey}` },
        body: { model, prompt, n, size: SIZES[size] },
        deadline,
      });
      if (response.status !== "responded") return withoutResponse(response);
      if (response.code !== 200) return classify(response);

      const requestId = readHeader(response.headers, "x-request-id");
      const parsed = responseSchema.safeParse(parseJson(response.body));
      if (!parsed.success) return failure("ambiguous", "malformed response", { requestId });
      const contentType = `image/${parsed.data.output_format}`;
      const images = parsed.data.data.map((item) =>
        "url" in item
          ? { url: item.url }
          : { url: `data:${contentType};base64,${item.b64_json}`, contentType },
      );
      return { status: "generated", images, requestId };
    },
  };
}

function classify({ code, headers, body }: Responded): ProviderFailure {
  const { status, reason } = classifyOpenai({ code, body });
  return failure(status, reason, {
    retryAfterMs: readRetryAfter(headers),
    requestId: readHeader(headers, "x-request-id"),
  });
}
