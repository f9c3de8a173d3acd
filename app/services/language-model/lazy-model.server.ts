import type {
  ModelRequest,
  ModelSettings,
  TextProvider,
  TokenUsage,
} from "~/services/language-model/language-model";

type Unfinished = { [Name in keyof ModelSettings]: ModelSettings[Name] | null };

/** A model behind an OpenAI-compatible API; null while its settings are incomplete. */
export function languageModel({
  apiKey,
  apiBase,
  model,
  purpose,
}: Unfinished): TextProvider<ModelRequest, TokenUsage> | null {
  if (apiKey === null || apiBase === null || model === null || purpose === null) return null;
  const { hostname } = new URL(apiBase);
  return {
    name: hostname === "api.openai.com" ? "openai" : hostname,
    model,
    async *ask(request, signal) {
      // The AI SDK takes 30 MB and a tenth of a second: the first text loads it, and no start waits for it.
      const { askModel } = await import("~/services/language-model/ask-model.server");
      return yield* askModel({ apiKey, apiBase, model, purpose }, request, signal);
    },
  };
}
