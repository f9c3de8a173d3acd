import { ACTION_KEYS, type ActionKey } from "~/catalog";
import type { CreditTransactionType, MeteredRunStatus } from "~/generated/prisma/enums";

/** The kinds of movements that the credits page can show alone. */
export const MOVEMENT_KINDS = ["all", ...ACTION_KEYS, "plan", "packs", "expired", "other"] as const;

export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A row of a run in the ledger. */
export interface MovementPart {
  id: string;
  type: CreditTransactionType;
  amount: number;
  balanceAfter: number;
  /** As JSON writes a time. */
  createdAt: string;
}

/**
 * A line of the user's history of credits, and what it was for: a row of the ledger, or all rows of a run. Amounts
 * are in credits.
 */
export interface Movement {
  /** That of its newest row. */
  id: string;
  type: CreditTransactionType;
  /** Ledger source; distinguishes kinds of grants. */
  source: string;
  /** The sum of its rows. */
  amount: number;
  /** After its newest row. */
  balanceAfter: number;
  /** When a lot expires; null if it never does, and for rows that are not lots. */
  expiresAt: Date | null;
  description: string | null;
  /** When its run began, which is the time that usage and limits count. */
  createdAt: Date;
  /** The rows of its run, oldest first; none for another movement, nor where each row is a line. */
  parts: MovementPart[];
  /** The run that was paid for or refunded. */
  run: MovementRun | null;
  /** The name of the key of the program that spent; null for a person. */
  apiKeyName: string | null;
  /** The pack whose credits were bought, returned or lost. */
  orderId: string | null;
  /** The plan whose credits came, were returned or lost; `paymentId` is null for a trial. */
  plan: { planKey: string; paymentId: string | null } | null;
}

/** A picture that a run made. */
export interface RunPicture {
  /** Null if the image is stored in the database. */
  url: string | null;
  /** Its position among the run's. */
  index: number;
  /** Pixels of the smallest stored thumbnail; null where there is none. */
  thumbnailWidth: number | null;
}

/** The run that a movement belongs to. */
export interface MovementRun {
  id: string;
  action: ActionKey;
  status: MeteredRunStatus;
  /** Units that it used; while it runs, and where all came to nothing, those that were paid in advance. */
  units: number;
  /** Units that were paid in advance and not used; 0 while it runs. */
  unused: number;
  /** Its subject, such as a prompt; null or empty if nothing is kept. */
  subject: string | null;
  /** A picture that this site still has; null if there is none. */
  picture: RunPicture | null;
}

/** The credits of one UTC day, counted on the day they were spent. */
export interface DayOfUse {
  /** As `2026-11-22`. */
  day: string;
  /** Spent and not given back. */
  used: number;
  /** Spent on that day and given back since. */
  refunded: number;
}
