import { type CatalogItem, itemOf, PRICE_SLOTS } from "~/catalog";
import type { PaymentProviderName, PaymentsEnv } from "~/env/payments";
import { listVariables } from "~/env/variables";
import { parseEnv } from "~/env.server";

export interface TestCredentials {
  provider: PaymentProviderName;
  settings: Pick<PaymentsEnv, "stripe" | "creem">;
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
  const { provider, stripe, creem } = parseEnv({ ...given, ...UNUSED }).payments;
  const stripeNeeds = "PROVIDER_A_SECRET_KEY and a PROVIDER_A_PRICE_…";
  const creemNeeds = "PROVIDER_B_API_KEY and a PROVIDER_B_PRODUCT_…";
  if (!provider) {
    throw new Error(
      `set PAYMENTS_PROVIDER to stripe, with ${stripeNeeds}, or to creem, with ${creemNeeds}, all of test mode`,
    );
  }
  const isStripe = provider === "stripe";
  const key = isStripe ? stripe.secretKey : creem.apiKey;
  const prices = isStripe ? stripe.prices : creem.products;
  const items = PRICE_SLOTS.filter((slot) => prices[slot]).map(itemOf);
  if (!key || items.length === 0) {
    throw new Error(
      `with PAYMENTS_PROVIDER=${provider}, set ${isStripe ? stripeNeeds : creemNeeds}, all of test mode`,
    );
  }
  if (!(isStripe ? /^[sr]k_test_/ : /^creem_test_/).test(key)) {
    const [name, prefix] = isStripe
      ? ["PROVIDER_A_SECRET_KEY", "sk_test_"]
      : ["PROVIDER_B_API_KEY", "creem_test_"];
    throw new Error(`${name} is not a test key (${prefix}…): the provider was not called`);
  }
  return { provider, settings: { stripe, creem }, items };
}
