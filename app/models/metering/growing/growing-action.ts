import type { z } from "zod";
import type { ActionKey } from "~/catalog";
import type { TextProvider } from "~/services/language-model/language-model";

/**
 * Why a result ended: by itself, at the limit that was asked for, with the credits, at a limit of the account, or
 * broken off.
 */
export const FINISH_REASONS = ["stop", "length", "credits", "limit", "interrupted"] as const;

export type FinishReason = (typeof FINISH_REASONS)[number];

/** Used units by kind; their sum is charged. */
export type Usage = Record<string, number>;

/** The fields of a request. */
export type Asking = Record<string, unknown>;

/** Two counts of something that isn't reported yet. The charge is by `least`; `most` is paid in advance. */
interface Bounds {
  least: number;
  most: number;
}

/** Counts a run's units while its result comes. */
export interface Measure<Used extends Usage = Usage> {
  /** The most units of the result that were asked for; null for as many as the credits pay. */
  limit: number | null;
  /** Units of the request. */
  input: Bounds;
  /** Units of a result of so many pieces and characters. */
  output(pieces: number, characters: number): Bounds;
  /** The usage that counts without a report. */
  usage(input: number, output: number): Used;
}

export type GrowingProvider<Asked = Asking, Used = Usage> = TextProvider<Asked, Used>;

export interface GrowingTable<Asked extends object = Asking, Used extends Usage = Usage> {
  /** Its table. It has `id`, `user_id`, `text`, `finish_reason` (null until settled), `created_at`, and the columns below. */
  name: string;
  /** The column of each field of the request, in a fixed order. */
  request: { [Field in keyof Required<Asked>]: string };
  /** The column of each kind of usage. */
  usage: { [Kind in keyof Used]: string };
  /** The column that says what a run was about. */
  subject: string;
}

/**
 * An action whose result is a text that grows while it is made, and is paid as it grows. The metering rooms do all else:
 * routes, streams, pages, slices of credits, and processes that die.
 */
export interface GrowingAction<Asked extends object = Asking, Used extends Usage = Usage> {
  key: ActionKey;
  isOn(): boolean;
  /** The request's body. The page's form has the fields that it wants of it. */
  schema: z.ZodObject;
  table: GrowingTable<Asked, Used>;
  measure(request: Asked): Measure<Used>;
  /** The configured provider; null while its settings are incomplete. */
  provider(): GrowingProvider<Asked, Used> | null;
}
