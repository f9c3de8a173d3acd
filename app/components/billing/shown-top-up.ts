import type { Pack } from "~/catalog";
import type { ListedTopUp, TopUpTerms } from "~/models/billing/top-ups/settings.server";
import type { ShownCard } from "~/models/billing/top-ups/shown-card.server";

/** An account's automatic top-up, as its page shows it. Amounts in minor units. */
export interface ShownTopUp {
  isOffered: boolean;
  isOn: boolean;
  /** Whether the pack still costs and brings what was agreed to. */
  isPriceRight: boolean;
  packs: Pack[];
  terms: TopUpTerms | null;
  /** The terms of a page that may still keep a card. */
  wanted: TopUpTerms | null;
  off: { at: Date | string; reason: OffReason } | null;
  agreedAt: Date | string | null;
  card: ShownCard | null;
  isWaiting: boolean;
  month: { spent: number; endsAt: Date | string };
  attempts: (Omit<ListedTopUp, "createdAt"> & { createdAt: Date | string })[];
}

type OffReason =
  | "owner"
  | "declined"
  | "price"
  | "not_sold"
  | "dispute"
  | "disabled"
  | "card_removed";
