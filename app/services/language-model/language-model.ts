import type { FailureClass, ProviderSettings } from "~/services/images/image-provider.server";
import type { PurposeName } from "~/services/outgoing/purposes.server";

export interface ModelRequest {
  prompt: string;
  /** The most tokens of the text; without it the model's own limit. */
  maxTokens?: number | undefined;
}

export interface ModelSettings extends ProviderSettings {
  /** The door that its calls go through. */
  purpose: PurposeName;
}

export interface Piece {
  text: string;
  /** The model's thought, which is paid for and no part of the text. */
  isHidden: boolean;
}

/** Used tokens. */
export type TokenUsage = {
  inputTokens: number;
  outputTokens: number;
};

/** How a text ended. */
export type TextEnd =
  /** `usage` is null if the provider reported none that can be true. `filtered`: the content policy ended it. */
  | { status: "stop" | "length" | "filtered"; usage: TokenUsage | null }
  /** `aborted`: by the caller's signal. */
  | { status: FailureClass | "aborted"; usage: null };

export interface LanguageModel {
  /** The provider's name in records: `openai`, or the host of its API. */
  name: string;
  model: string;
  /**
   * Yields the pieces of a text as they come and returns how it ended. Never throws for faults of the provider or the
   * network. One call is made, and it is not repeated. The signal ends it.
   */
  ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Piece, TextEnd>;
}
