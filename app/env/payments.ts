import type { z } from "zod";
import { CATALOG_ITEMS, type CatalogItem, type PriceSlot, slotOf } from "~/catalog";
import { apiBase, choice, credential, flag, matching } from "~/env/formats";
import {
  buildPrices,
  buildProducts,
  listNotForSale,
  type Prices,
  type PriceVariable,
  priceNameOf,
  priceVariables,
  productNameOf,
  productVariables,
} from "~/env/prices";

/** Parts of Stripe's checkout that need settings of its dashboard; all off by default. */
export interface StripeCheckoutOptions {
  promotionCodes: boolean;
  /** Calculates tax, and asks companies for their tax id. */
  automaticTax: boolean;
  /** Makes an invoice of each one-time purchase; subscriptions have theirs. */
  invoices: boolean;
}

/** The settings of each provider. Several may be set: old subscriptions stay where they are. */
export interface ProviderSettings {
  stripe: {
    secretKey: string | null;
    publishableKey: string | null;
    webhookSecret: string | null;
    apiBase: string;
    prices: Prices;
    /** The customer portal's configuration; null for the account's default one. */
    portalConfiguration: string | null;
    checkout: StripeCheckoutOptions;
    /** Whether customers may have a pack bought automatically, with a kept card. See `offersTopUp`. */
    topUp: boolean;
  };
  creem: {
    apiKey: string | null;
    webhookSecret: string | null;
    apiBase: string;
    /** Replaces the default header names if set. */
    signatureHeader: string | null;
    products: Prices;
  };
}

interface ProviderFacts {
  /** Its name in messages for the operator. */
  title: string;
  /** Its neutral name, as in PROVIDER_A_…: PAYMENTS_PROVIDER takes it too. */
  letter: string;
  /** How the names of its prices' variables begin. */
  priceVariable: string;
  variableOf: (item: CatalogItem) => PriceVariable;
  /** The value that such a variable holds. */
  priceKind: string;
  keyVariable: PaymentVariable;
  webhookSecretVariable: PaymentVariable;
  testKey: RegExp;
  /** How a test key begins, for messages. */
  testKeyPrefix: string;
  pricesOf: (settings: ProviderSettings) => Prices;
  keyOf: (settings: ProviderSettings) => string | null;
  webhookSecretOf: (settings: ProviderSettings) => string | null;
  /** Whether it knows buyers by their email addresses, so that a buyer's must be verified. */
  needsVerifiedEmail: boolean;
  /** Whether a checkout's event names the price that was paid. */
  namesPackPrice: boolean;
  /** Whether the event of an upgrade's payment names the whole period, and not the rest that it pays for. */
  upgradeNamesWholePeriod: boolean;
  /** Whether several payments may pay one invoice. */
  splitsInvoices: boolean;
}

/** Every payment provider, with the facts in which they differ. */
export const PAYMENT_PROVIDERS = {
  stripe: {
    title: "Stripe",
    letter: "A",
    priceVariable: "PROVIDER_A_PRICE",
    variableOf: priceNameOf,
    priceKind: "price (price_…)",
    keyVariable: "PROVIDER_A_SECRET_KEY",
    webhookSecretVariable: "PROVIDER_A_WEBHOOK_SECRET",
    testKey: /^[sr]k_test_/,
    testKeyPrefix: "sk_test_",
    pricesOf: ({ stripe }) => stripe.prices,
    keyOf: ({ stripe }) => stripe.secretKey,
    webhookSecretOf: ({ stripe }) => stripe.webhookSecret,
    needsVerifiedEmail: false,
    namesPackPrice: false,
    upgradeNamesWholePeriod: false,
    splitsInvoices: true,
  },
  creem: {
    title: "Creem",
    letter: "B",
    priceVariable: "PROVIDER_B_PRODUCT",
    variableOf: productNameOf,
    priceKind: "product (prod_…)",
    keyVariable: "PROVIDER_B_API_KEY",
    webhookSecretVariable: "PROVIDER_B_WEBHOOK_SECRET",
    testKey: /^creem_test_/,
    testKeyPrefix: "creem_test_",
    pricesOf: ({ creem }) => creem.products,
    keyOf: ({ creem }) => creem.apiKey,
    webhookSecretOf: ({ creem }) => creem.webhookSecret,
    needsVerifiedEmail: true,
    namesPackPrice: true,
    upgradeNamesWholePeriod: true,
    splitsInvoices: false,
  },
} as const satisfies Record<keyof ProviderSettings, ProviderFacts>;

export type PaymentProviderName = keyof typeof PAYMENT_PROVIDERS;

export const PAYMENT_PROVIDER_NAMES = Object.keys(PAYMENT_PROVIDERS) as [
  PaymentProviderName,
  ...PaymentProviderName[],
];

/** The ids of a provider's prices (Creem: products). */
export function pricesOf(provider: PaymentProviderName, settings: ProviderSettings): Prices {
  return PAYMENT_PROVIDERS[provider].pricesOf(settings);
}

export interface PaymentsEnv extends ProviderSettings {
  enabled: boolean;
  /** The provider for new checkouts and the webhook; old subscriptions may use another. */
  provider: PaymentProviderName | null;
  /** Variables of the active provider whose price or product is not set, so that the item cannot be bought. */
  missingPrices: string[];
  /** Items that the operator does not sell at the active provider, by `none` in their variable. */
  notForSale: PriceSlot[];
}

export const paymentVariables = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: flag().default(false).meta({ description: "Turns payments on." }),
  PAYMENTS_PROVIDER: choice<PaymentProviderName>(
    Object.fromEntries(
      PAYMENT_PROVIDER_NAMES.flatMap((name) => [
        [PAYMENT_PROVIDERS[name].letter, name],
        [name, name],
      ]),
    ),
  )
    .optional()
    .meta({ description: "Who takes new payments: A or stripe, B or creem." }),
  PROVIDER_A_SECRET_KEY: credential(["sk_", "rk_"], "Stripe's secret or restricted key")
    .optional()
    .meta({ description: "Secret key of Stripe.", secret: true, key: true }),
  NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: credential(["pk_"], "Stripe's publishable key")
    .optional()
    .meta({
      description:
        "Publishable key of Stripe. Optional: checkout is hosted, so it is only compared with the secret key's mode, and browsers may see it.",
      key: true,
    }),
  PROVIDER_A_WEBHOOK_SECRET: credential(["whsec_"], "the signing secret of the webhook endpoint")
    .optional()
    .meta({
      description: "Signing secret of Stripe's endpoint for /api/payments/webhook.",
      secret: true,
      key: true,
    }),
  PROVIDER_A_API_BASE: apiBase()
    .default("https://api.stripe.com")
    .meta({ description: "Address of Stripe's API." }),
  PROVIDER_A_PORTAL_CONFIGURATION: matching(
    /^bpc_[a-zA-Z0-9]+$/,
    "is not a portal configuration's id: `npm run billing -- portal` prints one, bpc_…",
  )
    .optional()
    .meta({
      description: "Stripe's customer portal: the configuration `npm run billing -- portal` makes.",
    }),
  PROVIDER_A_PROMOTION_CODES: flag()
    .default(false)
    .meta({ description: "Lets buyers enter Stripe's promotion codes; one of 100 % works too." }),
  PROVIDER_A_AUTOMATIC_TAX: flag().default(false).meta({
    description: "Stripe Tax calculates the tax, and companies can enter their tax id.",
  }),
  PROVIDER_A_INVOICES: flag()
    .default(false)
    .meta({ description: "Stripe makes an invoice of each one-time purchase." }),
  PROVIDER_A_TOP_UP: flag().default(false).meta({
    description:
      "Lets customers have a pack bought automatically, with a kept card. Not together with PROVIDER_A_AUTOMATIC_TAX.",
  }),
  ...priceVariables,
  PROVIDER_B_API_KEY: credential()
    .optional()
    .meta({ description: "API key of Creem.", secret: true, key: true }),
  PROVIDER_B_WEBHOOK_SECRET: credential().optional().meta({
    description: "Signing secret of Creem's endpoint for /api/payments/webhook.",
    secret: true,
    key: true,
  }),
  PROVIDER_B_API_BASE: apiBase()
    .optional()
    .meta({ description: "Address of Creem's API, by default the one that its key belongs to." }),
  PROVIDER_B_SIGNATURE_HEADER: matching(
    /^[a-z0-9-]+$/i,
    "is not a header name: use letters, digits and hyphens",
  )
    .optional()
    .meta({ description: "Header of Creem's signature, where it is not the default one." }),
  ...productVariables,
};

type PaymentVariable = `PROVIDER_${"A" | "B"}_${string}`;
type PaymentValues = z.output<z.ZodObject<typeof paymentVariables>>;

const CREEM_LIVE_BASE = "https://api.creem.io";
const CREEM_TEST_BASE = "https://test-api.creem.io";

/** Variables that the webhook requires. The preflight checks the catalog's variables. */
function listMissing(values: PaymentValues): string[] {
  if (!values.NEXT_PUBLIC_ENABLE_PAYMENTS) return [];
  if (!values.PAYMENTS_PROVIDER) return ["PAYMENTS_PROVIDER"];
  const { keyVariable, webhookSecretVariable } = PAYMENT_PROVIDERS[values.PAYMENTS_PROVIDER];
  return [keyVariable, webhookSecretVariable].filter((name) => !values[name]);
}

function listMissingPrices(
  provider: PaymentProviderName,
  settings: ProviderSettings,
  notForSale: string[],
): string[] {
  return Object.entries(pricesOf(provider, settings)).flatMap(([slot, id]) =>
    id === null && !notForSale.includes(slot)
      ? [`${PAYMENT_PROVIDERS[provider].priceVariable}_${slot.toUpperCase()}`]
      : [],
  );
}

export function buildPayments(values: PaymentValues): {
  payments: PaymentsEnv;
  incomplete: string[];
} {
  const provider = values.PAYMENTS_PROVIDER ?? null;
  const creemKey = values.PROVIDER_B_API_KEY ?? null;
  const notForSale = provider ? listNotForSale(values, PAYMENT_PROVIDERS[provider].variableOf) : [];
  const settings: ProviderSettings = {
    stripe: {
      secretKey: values.PROVIDER_A_SECRET_KEY ?? null,
      publishableKey: values.NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY ?? null,
      webhookSecret: values.PROVIDER_A_WEBHOOK_SECRET ?? null,
      apiBase: values.PROVIDER_A_API_BASE,
      prices: buildPrices(values),
      portalConfiguration: values.PROVIDER_A_PORTAL_CONFIGURATION ?? null,
      checkout: {
        promotionCodes: values.PROVIDER_A_PROMOTION_CODES,
        automaticTax: values.PROVIDER_A_AUTOMATIC_TAX,
        invoices: values.PROVIDER_A_INVOICES,
      },
      topUp: values.PROVIDER_A_TOP_UP,
    },
    creem: {
      apiKey: creemKey,
      webhookSecret: values.PROVIDER_B_WEBHOOK_SECRET ?? null,
      apiBase:
        values.PROVIDER_B_API_BASE ??
        (creemKey?.startsWith("creem_test_") ? CREEM_TEST_BASE : CREEM_LIVE_BASE),
      signatureHeader: values.PROVIDER_B_SIGNATURE_HEADER ?? null,
      products: buildProducts(values),
    },
  };
  return {
    payments: {
      enabled: values.NEXT_PUBLIC_ENABLE_PAYMENTS,
      provider,
      ...settings,
      missingPrices: provider ? listMissingPrices(provider, settings, notForSale) : [],
      notForSale,
    },
    incomplete: listMissing(values),
  };
}

/**
 * Whether customers can have a pack bought automatically. Creem has no payment without the customer. With
 * automatic tax it isn't offered, because such a payment computes no tax.
 */
export function offersTopUp({ enabled, provider, stripe }: PaymentsEnv): boolean {
  return enabled && provider === "stripe" && stripe.topUp && !stripe.checkout.automaticTax;
}

/** Whether a subscription is for sale, so that the daily job must be callable. */
export function sellsSubscriptions({ enabled, ...settings }: PaymentsEnv): boolean {
  const hasPrice = (item: CatalogItem) =>
    PAYMENT_PROVIDER_NAMES.some((name) => pricesOf(name, settings)[slotOf(item)] !== null);
  return enabled && CATALOG_ITEMS.some((item) => item.type === "plan" && hasPrice(item));
}
