/** Names of brands that Stripe spells in another way than they do. */
const NAMES: Record<string, string> = {
  amex: "American Express",
  cartes_bancaires: "Cartes Bancaires",
  diners: "Diners Club",
  discover: "Discover",
  eftpos_au: "eftpos Australia",
  jcb: "JCB",
  link: "Link",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

/** A card brand's own name. A brand that is new to us is shown as the provider names it. */
export function cardBrand(brand: string): string {
  return NAMES[brand] ?? brand;
}
