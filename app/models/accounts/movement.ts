import type { CreditTransactionType, MeteredRunStatus } from "~/generated/prisma/enums";

/** The kinds of movements that the credits page can show alone. */
export const MOVEMENT_KINDS = [
  "all",
  "images",
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
  /** The images that were paid for or refunded. */
  generation: {
    id: string;
    prompt: string;
    /** Images asked for, and their cost in credits. */
    images: number;
    cost: number;
    status: MeteredRunStatus;
    /** Position of an image that this site still has; null if there is none. */
    picture: {
      /** Null if the image is stored in the database. */
      url: string | null;
      index: number;
      /** Pixels of the smallest stored thumbnail; null where there is none. */
      thumbnailWidth: number | null;
    } | null;
  } | null;
  /** The pack that was bought or returned. */
  orderId: string | null;
  /** The plan that brought the credits; `paymentId` is null for a trial. */
  plan: { planKey: string; paymentId: string | null } | null;
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
