import express, { type RequestHandler, Router } from "express";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import { renderSession } from "./payment-objects";
import type { StripeBilling } from "./stripe-billing";
import { createStripeChanges } from "./stripe-changes";
import { replayIdempotent } from "./stripe-idempotency";
import { createStripeLists } from "./stripe-lists";
import {
  customerParams,
  parseParams,
  portalParams,
  type SessionParams,
  sessionParams,
  subscriptionParams,
} from "./stripe-params";
import { createStripeReads, type SandboxEndpoint } from "./stripe-reads";
import { StripeRefusal, sendStripeRefusal } from "./stripe-refusal";
import { createStripeSchedules } from "./stripe-schedules";
import { nowInSeconds, type StripeSession, type StripeState } from "./stripe-state";
import { renderSubscription } from "./subscription-objects";

interface StripeApiContext {
  baseUrl: string;
  secretKey: string;
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
  readEndpoint: () => SandboxEndpoint;
  /** Called for every request after its body is parsed. */
  record: RequestHandler;
}

/**
 * The part of `/v1` that our app and `npm run test:sandbox` use: form-encoded in, JSON out, both strict.
 */
export function createStripeApi(context: StripeApiContext): Router {
  const { baseUrl, state, prices, billing } = context;
  const api = Router();
  api.use(express.urlencoded({ extended: true }), context.record);
  api.use(requireKey(context.secretKey), requireForm, replayIdempotent());

  api.post("/checkout/sessions", ({ body }, response) => {
    const params = parseParams(sessionParams, body);
    const price = requireSellable(prices, params);
    requireBuyer(state, params);
    const session = createSession(params, price.id);
    state.sessions[session.id] = session;
    response.json(renderSession(session, price, baseUrl));
  });

  api.get("/checkout/sessions/:id", ({ params }, response) => {
    const session = state.sessions[params.id];
    if (!session) throw noSuch("checkout.session", params.id, "session", 404);
    const price = requirePrice(prices, session.priceId);
    response.json(renderSession(session, price, baseUrl));
  });

  api.post("/customers", ({ body }, response) => {
    const { email } = parseParams(customerParams, body);
    const id = createId("cus_");
    state.customers[id] = { id, email };
    response.json({ id, object: "customer", email, livemode: false });
  });

  api.delete("/customers/:id", ({ params: { id } }, response) => {
    if (!state.customers[id]) throw noSuch("customer", id, "id", 404);
    delete state.customers[id];
    response.json({ id, object: "customer", deleted: true });
  });

  api.use(createStripeChanges({ baseUrl, state, prices, billing }));
  api.use(createStripeSchedules({ state, prices, billing }));

  api.post("/subscriptions/:id", (request, response) => {
    parseParams(subscriptionParams, request.body);
    const subscription = state.subscriptions[request.params.id];
    if (!subscription) throw noSuch("subscription", request.params.id, "id", 404);
    if (subscription.status === "canceled") {
      const message =
        "A canceled subscription can only update its cancellation_details and metadata.";
      throw new StripeRefusal({ status: 400, message });
    }
    if (subscription.schedule) {
      const message = `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`;
      throw new StripeRefusal({ status: 400, message });
    }
    if (!subscription.cancelAtPeriodEnd) billing.scheduleCancellation(subscription, "api");
    const price = prices.find(({ id }) => id === subscription.priceId);
    response.json(price && renderSubscription(subscription, price, "basil"));
  });

  api.post("/billing_portal/sessions", ({ body }, response) => {
    const params = parseParams(portalParams, body);
    if (!state.customers[params.customer]) throw noSuch("customer", params.customer, "customer");
    const id = createId("bps_");
    state.portals[id] = { customer: params.customer, returnUrl: params.return_url };
    response.json({
      id,
      object: "billing_portal.session",
      customer: params.customer,
      livemode: false,
      return_url: params.return_url,
      url: `${baseUrl}/p/session/${id}`,
    });
  });

  api.use(createStripeReads(prices, context.readEndpoint));
  api.use(createStripeLists({ baseUrl, state, prices }));

  api.use((request) => {
    const message = `Unrecognized request URL (${request.method}: ${request.originalUrl}).`;
    throw new StripeRefusal({ status: 404, message });
  });
  api.use(sendStripeRefusal);
  return api;
}

function requireKey(secretKey: string): RequestHandler {
  return (request, _response, next) => {
    const key = /^Bearer (.+)$/.exec(request.get("Authorization") ?? "")?.[1];
    if (key === secretKey) return next();
    throw new StripeRefusal({ status: 401, message: "Invalid API Key provided." });
  };
}

const requireForm: RequestHandler = (request, _response, next) => {
  const version = request.get("Stripe-Version");
  if (version !== undefined && !/^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(version))
    throw new StripeRefusal({ status: 400, message: `Invalid Stripe API version: ${version}` });
  if (request.method === "POST" && !request.is("application/x-www-form-urlencoded"))
    throw new StripeRefusal({ status: 400, message: "The content type is not supported." });
  next();
};

function noSuch(what: string, id: string, param: string, status: 400 | 404 = 400): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  return new StripeRefusal({ status, code: "resource_missing", message, param });
}

function requireSellable(prices: readonly SandboxPrice[], params: SessionParams): SandboxPrice {
  const [{ price: id }] = params.line_items;
  const price = prices.find((candidate) => candidate.id === id);
  if (!price) throw noSuch("price", id, "line_items[0][price]");
  if ((price.interval === null) === (params.mode === "payment")) return price;
  const message = `You specified \`${params.mode}\` mode but passed a ${price.interval ? "recurring" : "one-time"} price.`;
  throw new StripeRefusal({ status: 400, message, param: "line_items[0][price]" });
}

function requireBuyer(state: StripeState, { customer, customer_email: email }: SessionParams) {
  if (customer !== undefined && !state.customers[customer])
    throw noSuch("customer", customer, "customer");
  if ((customer === undefined) !== (email === undefined)) return;
  const message = "You must specify exactly one of these parameters: customer, customer_email.";
  throw new StripeRefusal({ status: 400, message });
}

function createSession(params: SessionParams, priceId: string): StripeSession {
  const data = params.mode === "payment" ? params.payment_intent_data : params.subscription_data;
  return {
    id: createId("cs_test_"),
    mode: params.mode,
    status: "open",
    priceId,
    clientReferenceId: params.client_reference_id,
    metadata: params.metadata,
    dataMetadata: data.metadata,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url,
    customer: params.customer ?? null,
    email: params.customer_email ?? null,
    paymentIntent: null,
    subscription: null,
    created: nowInSeconds(),
  };
}
