import type { FailureClass } from "~/services/images/image-provider.server";

export interface TextRequest {
  prompt: string;
  /** The most tokens of the text; null for the model's own limit. */
  maxTokens: number | null;
  /** Ends the call at the provider. */
  signal: AbortSignal;
}

export interface Piece {
  text: string;
  /** The model's thought, which is paid for and no part of the text. */
  isThought: boolean;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** How a text ended. */
export type TextEnd =
  /** `usage` is null if the provider reported none that can be true. `filtered`: the content policy ended it. */
  | { status: "stop" | "length" | "filtered"; usage: Usage | null }
  /** `aborted`: by the caller's signal. */
  | { status: FailureClass | "aborted"; usage: null };

/**
 * Yields the pieces of a text as they come and returns how it ended. Never throws for faults of the provider or
 * the network. One call is made, and it is not repeated.
 */
export type WriteText = (request: TextRequest) => AsyncGenerator<Piece, TextEnd>;

export interface TextWriter {
  /** The provider's name in records: `openai`, or the host of its API. */
  provider: string;
  model: string;
  write: WriteText;
}
