import {
  PAYMENT_PROVIDER_NAMES,
  PAYMENT_PROVIDERS,
  type PaymentsEnv,
  type ProviderSettings,
  pricesOf,
} from "~/env/payments";
import type { Prices } from "~/env/prices";

/** Test or live mode, if the key shows it; webhook secrets and prices show neither. */
function readMode(key: string | null): "test" | "live" | undefined {
  if (key === null) return undefined;
  if (/^[srp]k_test_|^creem_test_/.test(key)) return "test";
  return /^[srp]k_live_/.test(key) ? "live" : undefined;
}

/** Whether sandbox and real credentials are mixed: sandbox credentials work only together. */
function mixesSandbox(keys: (string | null)[]): boolean {
  const set = keys.filter((key) => key !== null);
  const fromSandbox = set.filter((key) => /sandbox/i.test(key));
  return fromSandbox.length > 0 && fromSandbox.length < set.length;
}

/** Names of the variables that hold one id, for each id that several hold. */
function listShared(prefix: string, prices: Prices): string[] {
  const holders = new Map<string, string[]>();
  for (const [slot, id] of Object.entries(prices))
    if (id !== null)
      holders.set(id, [...(holders.get(id) ?? []), `${prefix}_${slot.toUpperCase()}`]);
  return [...holders.values()].filter((names) => names.length > 1).map((names) => names.join(", "));
}

/** Warnings about values that are well-formed but cannot be right together. */
export function listPaymentWarnings(payments: PaymentsEnv): string[] {
  if (!payments.enabled) return [];
  return [...listMixedModes(payments), ...listRepeatedPrices(payments)];
}

/** Reports test and live keys side by side, if the keys show their mode. */
export function listMixedModes({ stripe, creem }: PaymentsEnv): string[] {
  const faults: string[] = [];
  const secretMode = readMode(stripe.secretKey);
  const publishableMode = readMode(stripe.publishableKey);
  if (secretMode && publishableMode && secretMode !== publishableMode)
    faults.push(
      "PROVIDER_A_SECRET_KEY and NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY mix test and live mode: take all of Stripe's values from one mode",
    );
  if (mixesSandbox([stripe.secretKey, stripe.publishableKey, stripe.webhookSecret]))
    faults.push(
      "PROVIDER_A_SECRET_KEY, NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY and PROVIDER_A_WEBHOOK_SECRET mix sandbox and real keys: take all of them from one place",
    );
  if (mixesSandbox([creem.apiKey, creem.webhookSecret]))
    faults.push(
      "PROVIDER_B_API_KEY and PROVIDER_B_WEBHOOK_SECRET mix sandbox and real keys: take both from one place",
    );
  const keyIsTest = readMode(creem.apiKey) === "test";
  const otherBase = keyIsTest ? "https://api.creem.io" : "https://test-api.creem.io";
  if (creem.apiKey && creem.apiBase === otherBase)
    faults.push(
      "PROVIDER_B_API_KEY and PROVIDER_B_API_BASE mix test and live mode: unset PROVIDER_B_API_BASE to follow the key",
    );
  return faults;
}

/** Reports one price or product configured under two names. */
export function listRepeatedPrices(settings: ProviderSettings): string[] {
  return PAYMENT_PROVIDER_NAMES.flatMap((provider) => {
    const { priceVariable, priceKind } = PAYMENT_PROVIDERS[provider];
    const [kind] = priceKind.split(" ");
    return listShared(priceVariable, pricesOf(provider, settings)).map(
      (names) => `${names} hold the same ${kind}: a payment cannot be told apart`,
    );
  });
}

/**
 * The mode of the active provider's key; no real money moves in test mode. Undefined if the key shows
 * no mode.
 */
export function readActiveMode({
  provider,
  ...settings
}: PaymentsEnv): "test" | "live" | undefined {
  return readMode(provider && PAYMENT_PROVIDERS[provider].keyOf(settings));
}
