import type Stripe from "stripe";
import { writeTopUpMetadata } from "~/services/payments/billing-metadata";
import {
  type Charge,
  type ChargeOutcome,
  type FoundCharge,
  NEEDS_CUSTOMER,
} from "~/services/payments/kept-cards";
import { providerError, refusalOf } from "~/services/payments/payment-faults";
import {
  callStripe,
  declinedIntentOf,
  describeFault,
  findAtStripe,
  isKeyUsed,
  isRefused,
} from "~/services/payments/stripe/stripe-client.server";

const idempotencyKeyOf = (topUpId: string) => `topup:${topUpId}`;

/**
 * Charges a kept card, with nobody there. Stripe returns a repeated key's first response, declines included.
 * @throws AppError 502 provider_error if the outcome isn't known
 */
export async function chargeStripeCard(stripe: Stripe, charge: Charge): Promise<ChargeOutcome> {
  const { topUpId, userId, site, skuKey, customerId, paymentMethodId, amount, currency } = charge;
  // Read as late as can be. What follows is refused by `forbidStripeCharge`.
  if (Date.now() > charge.leaveBy) throw providerError(new Error("it is too late to charge"));
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency,
        customer: customerId,
        payment_method: paymentMethodId,
        allowed_payment_method_types: ["card"],
        off_session: true,
        confirm: true,
        metadata: writeTopUpMetadata({ topUpId, userId, site }, skuKey),
      },
      { idempotencyKey: idempotencyKeyOf(topUpId) },
    );
    return outcomeOf(intent);
  } catch (error) {
    const declined = declinedIntentOf(error);
    if (declined) return outcomeOf(declined);
    const fault = describeFault(error);
    // Another request under the key may have charged the card, or still does.
    if (!isRefused(error)) throw fault;
    if (!(await hasCard(stripe, charge))) return { status: "card_removed" };
    return { status: "refused", reason: refusalOf(fault).reason };
  }
}

/**
 * Takes the key of a charge for a payment that no card belongs to, and cancels that: Stripe then refuses the charge, whose parameters are
 * others. The same request gets the same payment again.
 * @throws AppError 502 provider_error
 */
export async function forbidStripeCharge(
  stripe: Stripe,
  { topUpId, amount, currency }: { topUpId: string; amount: number; currency: string },
): Promise<boolean> {
  let empty: Stripe.PaymentIntent;
  try {
    empty = await stripe.paymentIntents.create(
      {
        ...{ amount, currency, allowed_payment_method_types: ["card"] },
        // It is no top-up: neither its events nor whoever looks for the charge may take it for one.
        metadata: { given_up: topUpId },
      },
      { idempotencyKey: idempotencyKeyOf(topUpId) },
    );
  } catch (error) {
    if (isKeyUsed(error)) return false;
    // A charge would be refused as well.
    if (isRefused(error)) return true;
    throw describeFault(error);
  }
  await cancelStripeCharge(stripe, empty.id);
  return true;
}

async function hasCard(
  stripe: Stripe,
  { customerId, paymentMethodId }: Pick<Charge, "customerId" | "paymentMethodId">,
): Promise<boolean> {
  const method = await findAtStripe(() => stripe.paymentMethods.retrieve(paymentMethodId));
  const owner = method?.customer;
  return (typeof owner === "string" ? owner : owner?.id) === customerId;
}

const LISTED = 100;
/**
 * Seconds by which the clock that says since when may be ahead of Stripe's. A customer has few payments, and one that isn't found is
 * taken for one that was never made.
 */
const CLOCK_TOLERANCE = 24 * 60 * 60;

/**
 * Finds a charge by its id, or else among the customer's payments since it was asked for: Stripe's search lags behind, its lists
 * don't.
 * @throws AppError 502 provider_error
 */
export async function findStripeCharge(
  stripe: Stripe,
  request: { topUpId: string; customerId: string; paymentId: string | null; since: Date },
): Promise<FoundCharge | null> {
  const { topUpId, customerId, paymentId, since } = request;
  if (paymentId !== null) {
    const intent = await findAtStripe(() => stripe.paymentIntents.retrieve(paymentId));
    return intent && outcomeOf(intent);
  }
  const gte = Math.floor(since.getTime() / 1000) - CLOCK_TOLERANCE;
  let last: string | undefined;
  do {
    const params = { customer: customerId, created: { gte }, limit: LISTED };
    const page = await findAtStripe(() =>
      stripe.paymentIntents.list({ ...params, ...(last ? { starting_after: last } : {}) }),
    );
    const intent = page?.data.find(({ metadata }) => metadata?.top_up === topUpId);
    if (intent) return outcomeOf(intent);
    last = page?.has_more ? page.data.at(-1)?.id : undefined;
  } while (last);
  return null;
}

/**
 * Cancels a charge that wasn't made. Stripe refuses to cancel one that succeeded.
 * @throws AppError 502 provider_error
 */
export async function cancelStripeCharge(stripe: Stripe, paymentId: string): Promise<FoundCharge> {
  try {
    return outcomeOf(await stripe.paymentIntents.cancel(paymentId));
  } catch (error) {
    const intent = await callStripe(() => stripe.paymentIntents.retrieve(paymentId));
    const outcome = outcomeOf(intent);
    if (outcome.status === "canceled" || outcome.status === "succeeded") return outcome;
    throw providerError(error instanceof Error ? new Error(error.message) : error);
  }
}

/** Codes that Stripe asks to keep from the customer, who may be the thief. They see what they would see of any other. */
const HIDDEN_CODES = ["fraudulent", "lost_card", "merchant_blacklist", "stolen_card"];

function outcomeOf(intent: Stripe.PaymentIntent): FoundCharge {
  const { id: paymentId, status } = intent;
  const error = intent.last_payment_error;
  const told = error?.decline_code ?? error?.code ?? null;
  const code = told !== null && HIDDEN_CODES.includes(told) ? "generic_decline" : told;
  switch (status) {
    case "succeeded":
      return { status: "succeeded", paymentId };
    case "canceled":
      return { status: "canceled", paymentId, code: error?.code ?? null };
    case "requires_payment_method":
      if (error?.code === NEEDS_CUSTOMER) return { status: "action_required", paymentId };
      return { status: "declined", paymentId, code: code ?? "declined" };
    case "requires_action":
    case "requires_confirmation":
      return { status: "action_required", paymentId };
    default:
      return { status: "processing", paymentId };
  }
}
