import express, { type RequestHandler, Router } from "express";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import type { AnswerMode } from "./lost-answers";
import { renderSession } from "./payment-objects";
import type { StripeBilling } from "./stripe-billing";
import { createStripeChanges } from "./stripe-changes";
import { replayIdempotent } from "./stripe-idempotency";
import { createKeptCardsApi, type StripeCards } from "./stripe-kept-cards";
import { createStripeLists } from "./stripe-lists";
import { createStripeOutlook } from "./stripe-outlook";
import {
  customerParams,
  noParams,
  parseParams,
  portalParams,
  type SessionParams,
  sessionParams,
} from "./stripe-params";
import { chooseConfiguration, createStripePortalApi } from "./stripe-portal-api";
import { createStripeReads, type StripeSettingsReaders } from "./stripe-reads";
import { noSuch, StripeRefusal, sendStripeRefusal } from "./stripe-refusal";
import { createStripeSchedules } from "./stripe-schedules";
import { nowInSeconds, type StripeSession, type StripeState } from "./stripe-state";
import { createStripeSubscriptions } from "./stripe-subscriptions";

interface StripeApiContext extends StripeSettingsReaders {
  baseUrl: string;
  secretKey: string;
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
  cards: StripeCards;
  answers: AnswerMode;
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
  api.use(requireKey(context.secretKey), requireForm);
  // Also of a repeated key's responses.
  api.post("/payment_intents", context.answers.lose);
  api.use(replayIdempotent());

  api.use(createKeptCardsApi({ baseUrl, state, prices, cards: context.cards }));
  api.post("/checkout/sessions", ({ body }, response) => {
    const params = parseParams(sessionParams, body);
    const price = requireSellable(prices, params);
    requireBuyer(state, params);
    requireTaxable(params);
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

  api.post("/checkout/sessions/:id/expire", ({ params, body }, response) => {
    parseParams(noParams, body);
    const session = state.sessions[params.id];
    if (!session) throw noSuch("checkout.session", params.id, "session", 404);
    if (session.status !== "open") {
      const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`;
      throw new StripeRefusal({ status: 400, message });
    }
    billing.expire(session);
    response.json(renderSession(session, requirePrice(prices, session.priceId), baseUrl));
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

  api.use(createStripeOutlook({ baseUrl, state, prices }));
  api.use(createStripeChanges({ baseUrl, state, prices, billing }));
  api.use(createStripeSchedules({ state, prices, billing }));
  api.post("/billing_portal/sessions", ({ body }, response) => {
    const params = parseParams(portalParams, body);
    if (!state.customers[params.customer]) throw noSuch("customer", params.customer, "customer");
    const configuration = chooseConfiguration(state, params.configuration);
    const id = createId("bps_");
    state.portals[id] = { customer: params.customer, returnUrl: params.return_url, configuration };
    response.json({
      id,
      object: "billing_portal.session",
      configuration,
      customer: params.customer,
      livemode: false,
      return_url: params.return_url,
      url: `${baseUrl}/p/session/${id}`,
    });
  });

  api.use(createStripeSubscriptions({ state, prices, billing }));
  api.use(createStripePortalApi(state));
  api.use(createStripeReads(prices, context));
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

/** Stripe changes an existing customer's name and address only where it is told to. */
function requireTaxable(params: SessionParams): void {
  const { customer, customer_update: update, automatic_tax: tax, tax_id_collection: ids } = params;
  const refuse = (message: string, param: string) => {
    throw new StripeRefusal({ status: 400, message, param });
  };
  if (update && customer === undefined)
    refuse("`customer_update` can only be used with `customer`.", "customer_update");
  if (customer === undefined) return;
  if (tax && !update?.address)
    refuse(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      "automatic_tax",
    );
  if (ids && !update?.name)
    refuse(
      "Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.",
      "customer_update[name]",
    );
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
    options: {
      promotionCodes: params.allow_promotion_codes !== undefined,
      automaticTax: params.automatic_tax !== undefined,
      invoice: params.mode === "payment" && params.invoice_creation !== undefined,
    },
    discountPercent: 0,
    created: nowInSeconds(),
  };
}
