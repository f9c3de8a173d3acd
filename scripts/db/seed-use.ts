import { getEnv } from "~/env.server";
import { createApiKey, listApiKeys } from "~/models/accounts/api-keys.server";
import { imageRun } from "~/models/images/generate-images.server";
import { keepImages } from "~/models/images/keep-images.server";
import { type ActionEnd, meter } from "~/models/metering/meter.server";

/** The demo account's requests, oldest first; `samples` are pictures of `public/samples`. */
const MADE = [
  { prompt: "A lake at dawn, in mist", size: "landscape", n: 1, samples: ["lake"] },
  { prompt: "A city at night, seen from a hill", size: "square", n: 2, samples: [] },
  { prompt: "A fox in the snow", size: "square", n: 2, samples: ["fox", "fox2"] },
] as const;

/** Gives the demo account runs for images, where they are sold, one of them refunded, and an API key, once. The runs are charged as any others. */
export async function seedUse(userId: string): Promise<void> {
  for (const { prompt, size, n, samples } of getEnv().images.enabled ? MADE : []) {
    const request = { prompt, size, n };
    const idempotencyKey = `demo: ${prompt}`;
    const result = await meter(
      "image",
      imageRun({ userId, request, idempotencyKey }),
      async (): Promise<ActionEnd> => imagesOf(samples),
    );
    if (result.status === "started") await result.ended;
  }
  if ((await listApiKeys(userId)).length > 0) return;
  await createApiKey({
    userId,
    name: "Demo",
    scopes: ["generate", "read"],
    expiresInDays: 90,
    monthlyLimit: 100,
    mode: "test",
  });
}

function imagesOf(samples: readonly string[]): ActionEnd {
  if (samples.length === 0) return { error: "generation_failed" };
  const images = samples.map((name) => ({
    url: `/samples/${name}.svg`,
    persisted: false,
    fileId: null,
  }));
  return { units: images.length, provider: "fal", model: null, own: keepImages(images) };
}
