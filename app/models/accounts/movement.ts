import { ACTION_KEYS, type ActionKey } from "~/catalog";
import type { CreditTransactionType, MeteredRunStatus } from "~/generated/prisma/enums";

/** The kinds of movements that the credits page can show alone. */
export const MOVEMENT_KINDS = [
  "all",
  ...ACTION_KEYS,
  "refunds",
  "plan",
  "packs",
  "expired",
  "other",
] as const;

export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A row of the user's ledger, and what it was for. Amounts are in credits. */
export interface Movement {
  id: string;
  type: CreditTransactionType;
  /** Ledger source; distinguishes kinds of grants. */
  source: string;
  amount: number;
  balanceAfter: number;
  /** When a lot expires; null if it never does, and for rows that are not lots. */
  expiresAt: Date | null;
  description: string | null;
  createdAt: Date;
  /** The run that was paid for or refunded. */
  run: MovementRun | null;
  /** The pack that was bought or returned. */
  orderId: string | null;
  /** The plan that brought the credits; `paymentId` is null for a trial. */
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
  /** Units and credits that were taken for it. */
  units: number;
  credits: number;
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
