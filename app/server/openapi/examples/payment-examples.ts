import { PACKS, PLANS } from "~/catalog";
import { type Examples, problem, SUBSCRIPTION_ID } from "~/server/openapi/examples/example";

const [{ skuKey }] = PACKS;
const [{ planKey }] = PLANS;
const BY_MONTH = { planKey, period: "month" };
const EVENT = { id: "evt_1", type: "customer.created", data: { object: {} } };

export const paymentExamples: Examples = {
  checkoutPack: {
    firstPack: {
      body: { skuKey },
      status: 200,
      response: {
        provider: "stripe",
        sessionId: "cs_test_a1b2c3",
        url: "https://checkout.stripe.com/c/pay/cs_test_a1b2c3",
      },
    },
  },
  checkoutSubscription: {
    planByMonth: {
      body: BY_MONTH,
      status: 200,
      response: {
        provider: "stripe",
        sessionId: "cs_test_d4e5f6",
        url: "https://checkout.stripe.com/c/pay/cs_test_d4e5f6",
      },
    },
    planRuns: {
      body: BY_MONTH,
      ...problem(
        "already_subscribed",
        "You already have a subscription, so nothing was charged. Change it at /account/billing/change, or end it with POST /api/payments/subscription/cancel.",
        { subscriptionId: SUBSCRIPTION_ID, portal: "/api/payments/portal" },
      ),
    },
  },
  cancelSubscription: {
    running: {
      body: { subscriptionId: SUBSCRIPTION_ID },
      status: 200,
      response: {
        subscriptionId: SUBSCRIPTION_ID,
        status: "active",
        cancelAtPeriodEnd: true,
        currentPeriodEnd: "2026-12-21T14:00:00.000Z",
      },
    },
  },
  resumeSubscription: {
    ending: {
      body: { subscriptionId: SUBSCRIPTION_ID },
      status: 200,
      response: {
        subscriptionId: SUBSCRIPTION_ID,
        status: "active",
        cancelAtPeriodEnd: false,
        currentPeriodEnd: "2026-12-21T14:00:00.000Z",
      },
    },
  },
  openPortal: {
    customer: {
      status: 200,
      response: { url: "https://billing.stripe.com/p/session/test_YWNjdF8x" },
    },
  },
  confirmReturn: {
    otherSignature: {
      body: { checkout_id: "ch_4Kq2", order_id: "ord_1", signature: "0".repeat(64) },
      status: 200,
      response: { status: "deferred", fulfilled: false },
    },
  },
  receiveWebhook: {
    signed: { body: EVENT, status: 200, response: { deduped: false } },
    badSignature: {
      body: EVENT,
      ...problem(
        "invalid_signature",
        "The signature is missing, too old, or doesn't match this body. Nothing was stored. Check the webhook's signing secret.",
      ),
    },
  },
};
