import { amountOf, CURRENCY, itemOf, PRICE_SLOTS } from "~/catalog";
import { offersTopUp, pricesOf } from "~/env/payments";
import type { Env } from "~/env.server";
import { inspectProvider } from "~/services/payments/inspect-provider.server";
import { refusalOf } from "~/services/payments/payment-faults";
import type {
  OfferedPrice,
  ProviderInspection,
  WebhookEndpoint,
} from "~/services/payments/provider-inspection.server";
import {
  STRIPE_EVENT_TYPES,
  STRIPE_TOP_UP_EVENT_TYPES,
} from "~/services/payments/stripe/stripe-inspection.server";
import { formatAmount } from "~/utils/money";
import { type Check, conclude, type Finding, fault, found, pass, skip } from "../check";
import type { Configuration } from "../configuration";
import { askPortal } from "./portal-online";

const KEY = "online.payments-key";
const PRICES = "online.payments-prices";
const WEBHOOK = "online.payments-webhook";
const PORTAL = "online.payments-portal";
const TAX = "online.payments-tax";

/** Asks the active provider about the key, the prices, the endpoint and the portal. Reads only. */
export async function checkPaymentsOnline({ env }: Configuration): Promise<Check[]> {
  const skipAll = (reason: string) =>
    [KEY, PRICES, WEBHOOK, PORTAL, TAX].map((id) => skip(id as typeof KEY, reason));
  if (!env.payments.enabled) return skipAll("payments are off");
  const provider = inspectProvider(env.payments);
  if (!provider) return skipAll("no provider with a key is selected: see payments.keys");
  const prices = await askPrices(provider, env.payments);
  const needed = offersTopUp(env.payments)
    ? [...STRIPE_EVENT_TYPES, ...STRIPE_TOP_UP_EVENT_TYPES]
    : STRIPE_EVENT_TYPES;
  const webhook = await askWebhook(provider, env.siteUrl, needed);
  const portal = await askPortal(provider, env.payments);
  const tax = await askTax(provider, env.payments);
  return [
    judgeKey([...prices.errors, ...webhook.errors, ...portal.errors, ...tax.errors], prices.asked),
    prices.check,
    webhook.check,
    portal.check,
    tax.check,
  ];
}

interface Asked {
  check: Check;
  /** Errors the provider threw, for the check of the key. */
  errors: unknown[];
}

/** 401: the key isn't valid. 403: a restricted key that may not read the object. */
function judgeKey(errors: unknown[], asked: number): Check {
  const refusals = errors.map(refusalOf);
  const refused = refusals.find(({ status }) => status === 401 || status === 403);
  if (refused) {
    const action =
      refused.status === 403
        ? "let the restricted key read prices, webhook endpoints, tax settings and the customer portal"
        : "copy the secret key again, from the mode of that address";
    return found(KEY, [fault(`the provider refuses the key: ${refused.reason}`, action)]);
  }
  const silent = refusals[0];
  if (silent)
    return found(KEY, [
      fault(
        `the provider did not respond as expected: ${silent.reason}`,
        "check the address and this machine's network access, and try again",
      ),
    ]);
  return asked > 0 ? pass(KEY, "the key is accepted") : skip(KEY, "there was nothing to check");
}

async function askPrices(
  provider: ProviderInspection,
  payments: Env["payments"],
): Promise<Asked & { asked: number }> {
  const ids = payments.provider && pricesOf(payments.provider, payments);
  const slots = PRICE_SLOTS.filter((slot) => ids?.[slot]);
  const errors: unknown[] = [];
  const findings: Finding[] = [];
  for (const slot of slots) {
    const id = ids?.[slot] ?? "";
    try {
      const offered = await provider.findPrice(id);
      const wrong = describeMismatch(itemOf(slot), offered);
      if (wrong) findings.push(fault(`${slot} (${id}) ${wrong}`, CORRECT_PRICE));
    } catch (error) {
      // The key's check gives the reason; the next ones would fail alike, and each may take its time.
      errors.push(error);
      break;
    }
  }
  const unasked = skip(PRICES, "the provider could not be asked: see online.payments-key");
  const otherwise =
    errors.length > 0 ? unasked : pass(PRICES, `${slots.length} prices match the catalog`);
  return { check: conclude(PRICES, findings, otherwise), errors, asked: slots.length };
}

const CORRECT_PRICE =
  "make a price with the catalog's amount, currency and interval, and put its id into the variable";

function describeMismatch(
  item: Parameters<typeof amountOf>[0],
  offered: OfferedPrice | null,
): string | null {
  if (!offered) return "does not exist there, or is in the other mode";
  if (!offered.active) return "is archived";
  const wanted = describePrice({
    amount: amountOf(item),
    currency: CURRENCY,
    interval: item.type === "plan" ? item.period : null,
  });
  const got = describePrice(offered);
  return wanted === got ? null : `is ${got}, and the catalog says ${wanted}`;
}

function describePrice({ amount, currency, interval }: Omit<OfferedPrice, "active">): string {
  const rhythm =
    interval === null ? "once" : `per ${interval === "other" ? "other period" : interval}`;
  const price =
    amount === null ? `no single amount ${currency}` : formatAmount({ amount, currency });
  return `${price} ${rhythm}`;
}

/** Asks whether Stripe Tax is set up, where checkouts need it. Until it is, Stripe refuses each checkout. */
async function askTax(provider: ProviderInspection, { stripe }: Env["payments"]): Promise<Asked> {
  if (!provider.isTaxActive || !stripe.checkout.automaticTax)
    return { check: skip(TAX, "PROVIDER_A_AUTOMATIC_TAX is off"), errors: [] };
  try {
    const finding = fault(
      "PROVIDER_A_AUTOMATIC_TAX is on and Stripe Tax is not active: every checkout is refused",
      "set up Stripe Tax in the dashboard (head office and product tax code), or turn the variable off",
    );
    const findings = (await provider.isTaxActive()) ? [] : [finding];
    return { check: conclude(TAX, findings, pass(TAX, "Stripe Tax is active")), errors: [] };
  } catch (error) {
    const reason = "the tax settings could not be read: see online.payments-key";
    return { check: skip(TAX, reason), errors: [error] };
  }
}

async function askWebhook(
  provider: ProviderInspection,
  siteUrl: URL | null,
  needed: readonly string[],
): Promise<Asked> {
  if (!provider.listWebhookEndpoints)
    return {
      check: skip(
        WEBHOOK,
        "Creem's API does not show webhooks: check its dashboard under Developers",
      ),
      errors: [],
    };
  if (!siteUrl)
    return {
      check: skip(WEBHOOK, "the site's address is not usable: see env.site-url"),
      errors: [],
    };
  try {
    const endpoints = await provider.listWebhookEndpoints();
    return {
      check: judgeEndpoints(endpoints, `${siteUrl.origin}/api/payments/webhook`, needed),
      errors: [],
    };
  } catch (error) {
    const reason = "the endpoints could not be listed: see online.payments-key";
    return { check: skip(WEBHOOK, reason), errors: [error] };
  }
}

function judgeEndpoints(
  endpoints: WebhookEndpoint[],
  url: string,
  needed: readonly string[],
): Check {
  const ours = endpoints.filter((endpoint) => endpoint.url === url);
  const enabled = ours.filter((endpoint) => endpoint.enabled);
  if (enabled.length === 0) {
    const what = ours.length > 0 ? "is disabled" : "is not registered";
    const action = `register ${url} for ${needed.join(", ")}, and set PROVIDER_A_WEBHOOK_SECRET to its signing secret`;
    return found(WEBHOOK, [
      fault(`the endpoint ${url} ${what}: paid orders are not delivered`, action),
    ]);
  }
  const events = new Set(enabled.flatMap((endpoint) => endpoint.events));
  const missing = events.has("*") ? [] : needed.filter((type) => !events.has(type));
  const finding = fault(
    `the endpoint ${url} is not sent ${missing.join(", ")}`,
    "add these events to it in Stripe's dashboard",
  );
  return conclude(
    WEBHOOK,
    missing.length > 0 ? [finding] : [],
    pass(WEBHOOK, `${url} is sent every event it needs`),
  );
}
