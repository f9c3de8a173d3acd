import { getEnv } from "~/env.server";
import type { TextWriter } from "~/services/text/text-writer";

/** The configured writer of texts; null while its settings are incomplete. */
export function getTextWriter(): TextWriter | null {
  const { apiKey, apiBase, model } = getEnv().text;
  if (apiKey === null || model === null) return null;
  const { hostname } = new URL(apiBase);
  return {
    provider: hostname === "api.openai.com" ? "openai" : hostname,
    model,
    async *write(request) {
      // The AI SDK takes 30 MB and a tenth of a second: the first text loads it, and no start waits for it.
      const { writeText } = await import("~/services/text/write-text.server");
      return yield* writeText({ apiKey, apiBase, model }, request);
    },
  };
}
