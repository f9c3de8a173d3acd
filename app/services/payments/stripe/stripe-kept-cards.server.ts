import type Stripe from "stripe";
import type { SkuKey } from "~/catalog";
import { writeCardMetadata } from "~/services/payments/billing-metadata";
import type { KeptCards } from "~/services/payments/kept-cards";
import { providerError } from "~/services/payments/payment-faults";
import type { OfferedPrice } from "~/services/payments/provider-inspection.server";
import {
  cancelStripeCharge,
  chargeStripeCard,
  findStripeCharge,
  forbidStripeCharge,
} from "~/services/payments/stripe/stripe-charges.server";
import { callStripe, findAtStripe } from "~/services/payments/stripe/stripe-client.server";
import { readStripePrice } from "~/services/payments/stripe/stripe-price";

/** Payments with a kept card, at Stripe. */
export function createStripeKeptCards({
  requireClient,
  priceOf,
}: {
  requireClient(): Stripe;
  /** The configured price of a pack. @throws AppError 503 payments_unavailable */
  priceOf(skuKey: SkuKey): string;
}): KeptCards {
  return {
    async createCustomer({ userId, site, email }) {
      const metadata = { user_id: userId, site };
      const customer = await callStripe(() =>
        requireClient().customers.create(
          { email, metadata },
          // Stripe refuses a key that comes with another address.
          { idempotencyKey: `customer:${userId}:${email}`.slice(0, 255) },
        ),
      );
      return customer.id;
    },

    async createCardPage({ requestId, userId, site, customerId, successUrl, cancelUrl }) {
      const metadata = writeCardMetadata({ requestId, userId, site });
      const session = await findAtStripe(
        () =>
          requireClient().checkout.sessions.create(
            {
              mode: "setup",
              allowed_payment_method_types: ["card"],
              customer: customerId,
              client_reference_id: userId,
              metadata,
              setup_intent_data: { metadata },
              success_url: successUrl,
              cancel_url: cancelUrl,
            },
            { idempotencyKey: `card:${requestId}` },
          ),
        "customer",
      );
      if (!session) return null;
      if (!session.url) throw providerError(new Error("the session has no address"));
      return { url: session.url };
    },

    async findCard({ customerId, paymentMethodId, timeoutMs }) {
      const method = await findAtStripe(() =>
        requireClient().paymentMethods.retrieve(paymentMethodId, undefined, {
          timeout: timeoutMs,
          maxNetworkRetries: 0,
        }),
      );
      if (!method?.card || ownerOf(method) !== customerId) return null;
      return { brand: method.card.brand, lastFour: method.card.last4 };
    },

    async removeCard({ paymentMethodId }) {
      const stripe = requireClient();
      const method = await findAtStripe(() => stripe.paymentMethods.retrieve(paymentMethodId));
      const customerId = method && ownerOf(method);
      // Stripe refuses to detach what belongs to nobody.
      if (customerId === null || (await paysPlan(stripe, { customerId, paymentMethodId }))) return;
      await findAtStripe(() => stripe.paymentMethods.detach(paymentMethodId));
    },

    async findPrice(skuKey): Promise<OfferedPrice | null> {
      const id = priceOf(skuKey);
      const price = await findAtStripe(() => requireClient().prices.retrieve(id));
      return price && readStripePrice(price);
    },

    charge: async (charge) => chargeStripeCard(requireClient(), charge),
    findCharge: async (request) => findStripeCharge(requireClient(), request),
    forbidCharge: async (request) => forbidStripeCharge(requireClient(), request),
    cancelCharge: async ({ paymentId }) => cancelStripeCharge(requireClient(), paymentId),
  };
}

/**
 * Whether the customer's subscriptions, or the customer where those name none, are paid with this card: the customer can have chosen it in
 * the portal. Stripe lists those subscriptions that go on.
 */
async function paysPlan(
  stripe: Stripe,
  { customerId, paymentMethodId }: { customerId: string; paymentMethodId: string },
): Promise<boolean> {
  const customer = await findAtStripe(() =>
    stripe.customers.retrieve(customerId, { expand: ["subscriptions"] }),
  );
  if (!customer || customer.deleted) return false;
  const usual = idOf(customer.invoice_settings?.default_payment_method);
  return (customer.subscriptions?.data ?? []).some(
    ({ default_payment_method: own }) => (idOf(own) ?? usual) === paymentMethodId,
  );
}

const idOf = (method: string | Stripe.PaymentMethod | null | undefined): string | null =>
  typeof method === "string" ? method : (method?.id ?? null);

const ownerOf = ({ customer }: Stripe.PaymentMethod): string | null =>
  typeof customer === "string" ? customer : (customer?.id ?? null);
