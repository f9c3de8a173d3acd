/** A card as its provider names it. */
export interface SavedCard {
  /** The provider's word, such as `visa`. */
  brand: string;
  lastFour: string;
}

/** The next renewal's invoice, as its provider would write it now. */
export interface NextInvoice {
  at: Date;
  /** Minor units, with tax and discounts. Null: the provider's API tells only the date. */
  price: { amount: number; currency: string } | null;
}

/** How a subscription is paid from now on. */
export interface PaymentOutlook {
  /** Null: its provider's API doesn't tell, or it isn't paid by a card. */
  card: SavedCard | null;
  /** Null: none is coming. */
  nextInvoice: NextInvoice | null;
}
