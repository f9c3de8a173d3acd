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

/** A part of a text as it comes. */
export interface Piece {
  text: string;
  /** It is paid for and no part of the text, such as a model's thought. */
  isHidden: boolean;
}

/** Used tokens. */
export type TokenUsage = {
  inputTokens: number;
  outputTokens: number;
};

/** How a text ended. */
export type TextEnd<Used = TokenUsage> =
  /** `usage` is null if the provider reported none that can be true. `filtered`: the content policy ended it. */
  | { status: "stop" | "length" | "filtered"; usage: Used | null }
  /** `aborted`: by the caller's signal. */
  | { status: FailureClass | "aborted"; usage: null };

/** Makes texts, such as a model does. */
export interface TextProvider<Asked, Used> {
  /** Its name in records. */
  name: string;
  model: string;
  /**
   * Makes the one call, which isn't repeated. Yields the pieces as they come and returns how it ended. Never throws for
   * faults of the provider or the network. The signal ends the call.
   */
  ask(request: Asked, signal: AbortSignal): AsyncGenerator<Piece, TextEnd<Used>>;
}
