const NAMES: Record<string, string> = { stripe: "Stripe", creem: "Creem" };

/** A payment provider's own name. */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider;
}
