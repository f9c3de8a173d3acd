import { createHash, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Period, PlanKey, SkuKey } from "~/catalog";
import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { PAYMENT_PROVIDER_NAMES } from "~/env/payments";
import { getEnv } from "~/env.server";
import {
  endAtProvider,
  type ProviderOf,
} from "~/models/billing/cancellations/cancellations.server";
import { ownSite } from "~/models/billing/customers/installation.server";
import { findOwnCustomer } from "~/models/billing/customers/provider-customers.server";
import {
  getLatestSubscription,
  getRunningSubscription,
  listOpenSubscriptions,
} from "~/models/billing/subscriptions/management.server";
import {
  claimKey,
  type HeldKey,
  type IdempotentRequest,
  keepAnswer,
  releaseKey,
} from "~/models/idempotency-keys.server";
import type {
  Checkout,
  CheckoutRequest,
  PaymentProvider,
} from "~/services/payments/payment-provider.server";
import { AppError } from "~/utils/app-error";

interface Buyer {
  userId: string;
  email: string;
  /** The language of the pages the buyer returns to. */
  locale: string;
  /** The client's own key, if it sent one. */
  idempotencyKey: string | null;
}

const started = z.object({
  status: z.literal("started"),
  provider: z.enum(PAYMENT_PROVIDER_NAMES),
  sessionId: z.string(),
  url: z.string(),
});
const responseSchema = z.union([started, z.object({ status: z.literal("provider_error") })]);

/** The provider's response, and until when the same request gets it again. */
interface Started {
  result: CheckoutResult;
  until: Date | null;
}

export type CheckoutResult =
  /** The hosted page to send the buyer to. */
  | z.output<typeof started>
  /** The provider was asked and created no checkout. Nothing was charged. */
  | { status: "provider_error"; cause?: unknown }
  /** Only one subscription at a time is allowed; this one is running. */
  | { status: "already_subscribed"; subscriptionId: string }
  | { status: "idempotency_mismatch" }
  | { status: "idempotency_in_progress" };

/** Starts the hosted checkout of a pack. @throws AppError 503 payments_unavailable */
export async function startPackCheckout(
  { skuKey, ...buyer }: Buyer & { skuKey: SkuKey },
  provider: PaymentProvider,
  db: DatabaseOrTransaction = getDb(),
): Promise<CheckoutResult> {
  // Without a client key each request counts as a new one. Its session is still stored: Creem's API
  // finds a checkout only by its id, and reconciliation needs that id.
  const key = buyer.idempotencyKey ?? `server:${randomUUID()}`;
  const request = await checkoutRequest(buyer, provider, db);
  // Not the key alone: once its session has ended, Stripe would return that session again under it.
  const create = ({ leaseToken }: HeldKey) =>
    startCheckout(provider, () => {
      const requestId = digest("pack", buyer.userId, key, leaseToken);
      return provider.createPackCheckout({ ...request, requestId, skuKey });
    });
  const requestHash = digest(skuKey);
  return startOnce({ userId: buyer.userId, scope: "checkout", key, requestHash }, create, db);
}

/**
 * Starts the hosted checkout of a subscription, unless one is running. Without a client key the server
 * makes one, so that a double click gets one session. An older subscription that is `expired` is ended
 * first: if its provider still collected its payment, the user would pay for two.
 * @throws AppError 503 payments_unavailable
 */
export async function startSubscriptionCheckout(
  { planKey, period, ...buyer }: Buyer & { planKey: PlanKey; period: Period },
  { provider, providerOf }: { provider: PaymentProvider; providerOf: ProviderOf },
  db: Database = getDb(),
): Promise<CheckoutResult> {
  const { userId, locale } = buyer;
  const latest = await getLatestSubscription(userId, db);
  const request = await checkoutRequest(buyer, provider, db);
  // The key also covers the session's other inputs: a provider refuses different parameters under the
  // same key, and a session that led to a subscription is used up.
  const requestId = digest(
    "subscription",
    userId,
    planKey,
    period,
    String(Math.floor(Date.now() / TEN_MINUTES)),
    provider.name,
    locale,
    request.customerId ?? "",
    latest?.id ?? "",
  );
  const create = async (): Promise<Started> => {
    const running = await getRunningSubscription(userId, db);
    if (running)
      return { result: { status: "already_subscribed", subscriptionId: running.id }, until: null };
    return startCheckout(provider, async () => {
      await endExpired(userId, providerOf, db);
      return provider.createSubscriptionCheckout({ ...request, requestId, planKey, period });
    });
  };
  const scope = "subscription-checkout";
  const requestHash = digest(planKey, period);
  const { idempotencyKey } = buyer;
  if (idempotencyKey) {
    return startOnce({ userId, scope, key: idempotencyKey, requestHash }, create, db);
  }
  return startForDoubleClick(
    { userId, scope, key: `server:${requestId}`, requestHash },
    create,
    db,
  );
}

async function endExpired(userId: string, providerOf: ProviderOf, db: Database): Promise<void> {
  const open = await listOpenSubscriptions(userId, db);
  for (const subscription of open.filter(({ status }) => status === "expired"))
    await endAtProvider({ subscription, when: "period_end" }, providerOf, db);
}

const TEN_MINUTES = 10 * 60 * 1000;

const digest = (...parts: string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

async function checkoutRequest(
  { userId, email, locale }: Buyer,
  provider: PaymentProvider,
  db: DatabaseOrTransaction,
): Promise<Omit<CheckoutRequest, "requestId">> {
  const customerId = await findOwnCustomer({ provider: provider.name, userId }, db);
  const page = (name: string) => new URL(`/${locale}/checkout/${name}`, getEnv().siteUrl).href;
  return {
    userId,
    site: ownSite(),
    email,
    customerId,
    successUrl: page("success"),
    cancelUrl: page("cancelled"),
  };
}

/** Makes the call. Missing configuration is rethrown, since the provider was never asked. */
async function startCheckout(
  provider: PaymentProvider,
  create: () => Promise<Checkout>,
): Promise<Started> {
  try {
    const { sessionId, url, expiresAt } = await create();
    const result = { status: "started", provider: provider.name, sessionId, url } as const;
    return { result, until: expiresAt };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "provider_error") throw error;
    return { result: { status: "provider_error", cause: error.cause }, until: null };
  }
}

/**
 * Once the provider was asked, the same key gets the same result, whatever it was. A started checkout is
 * returned again only while its page is open.
 */
async function startOnce(
  request: IdempotentRequest,
  start: (held: HeldKey) => Promise<Started>,
  db: DatabaseOrTransaction,
): Promise<CheckoutResult> {
  const claim = await claimKey(request, db);
  if (claim.status === "mismatch") return { status: "idempotency_mismatch" };
  if (claim.status === "in_progress") return { status: "idempotency_in_progress" };
  if (claim.status === "settled") return responseSchema.parse(claim.answer);
  return startHeld({ held: claim.held, start, keeps: ["started", "provider_error"] }, db);
}

async function startHeld(
  {
    held,
    start,
    keeps,
  }: {
    held: HeldKey;
    start: (held: HeldKey) => Promise<Started>;
    keeps: CheckoutResult["status"][];
  },
  db: DatabaseOrTransaction,
): Promise<CheckoutResult> {
  let kept = false;
  try {
    const { result, until } = await start(held);
    if (!keeps.includes(result.status)) return result;
    kept = await keepAnswer({ held, answer: responseSchema.parse(result), until }, db);
    // It took longer than the lease, and a second request took over: the key's response is the second
    // one's. Nobody has seen the address of this checkout.
    return kept ? result : { status: "idempotency_in_progress" };
  } finally {
    if (!kept) await releaseKey(held, db);
  }
}

const DOUBLE_CLICK_WAIT_MS = 10_000;
const DOUBLE_CLICK_POLL_MS = 100;

/** The second of two clicks waits for the first one's session. After a failure the next click tries again. */
async function startForDoubleClick(
  request: IdempotentRequest,
  start: (held: HeldKey) => Promise<Started>,
  db: DatabaseOrTransaction,
): Promise<CheckoutResult> {
  for (const end = Date.now() + DOUBLE_CLICK_WAIT_MS; Date.now() < end; ) {
    const claim = await claimKey(request, db);
    if (claim.status === "claimed")
      return startHeld({ held: claim.held, start, keeps: ["started"] }, db);
    if (claim.status === "settled") return responseSchema.parse(claim.answer);
    await wait(DOUBLE_CLICK_POLL_MS);
  }
  return { status: "idempotency_in_progress" };
}
