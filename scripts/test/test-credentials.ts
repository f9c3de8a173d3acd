import { type CatalogItem, itemOf, PRICE_SLOTS } from "~/catalog";
import {
  PAYMENT_PROVIDER_NAMES,
  PAYMENT_PROVIDERS,
  type PaymentProviderName,
  type ProviderSettings,
  pricesOf,
} from "~/env/payments";
import { listVariables } from "~/env/variables";
import { parseEnv } from "~/env.server";

export interface TestCredentials {
  provider: PaymentProviderName;
  settings: ProviderSettings;
  /** Every item that has a price or product. */
  items: CatalogItem[];
}

type Environment = Record<string, string | undefined>;

/** The configuration requires them, but these tests don't use them. */
const UNUSED = {
  DATABASE_URL: "postgres://unused@localhost/unused",
  AUTH_SECRET: "unused".repeat(6),
  NEXT_PUBLIC_SITE_URL: "http://localhost",
};

/**
 * Returns the test credentials of the provider in PAYMENTS_PROVIDER. Throws one line that names what is
 * missing, and refuses live keys: the tests create objects at the provider.
 */
export function requireTestCredentials(environment: Environment): TestCredentials {
  const names = listVariables()
    .filter(({ group }) => group === "payments")
    .flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
  const given = Object.fromEntries(names.map((name) => [name, environment[name]]));
  const { provider, ...settings } = parseEnv({ ...given, ...UNUSED }).payments;
  if (!provider) {
    const choices = PAYMENT_PROVIDER_NAMES.map((name) => `to ${name}, with ${needsOf(name)}`);
    throw new Error(`set PAYMENTS_PROVIDER ${choices.join(", or ")}, all of test mode`);
  }
  const { keyOf, keyVariable, testKey, testKeyPrefix } = PAYMENT_PROVIDERS[provider];
  const key = keyOf(settings);
  const prices = pricesOf(provider, settings);
  const items = PRICE_SLOTS.filter((slot) => prices[slot]).map(itemOf);
  if (!key || items.length === 0) {
    throw new Error(
      `with PAYMENTS_PROVIDER=${provider}, set ${needsOf(provider)}, all of test mode`,
    );
  }
  if (!testKey.test(key))
    throw new Error(
      `${keyVariable} is not a test key (${testKeyPrefix}…): the provider was not called`,
    );
  return { provider, settings, items };
}

function needsOf(provider: PaymentProviderName): string {
  const { keyVariable, priceVariable } = PAYMENT_PROVIDERS[provider];
  return `${keyVariable} and a ${priceVariable}_…`;
}
