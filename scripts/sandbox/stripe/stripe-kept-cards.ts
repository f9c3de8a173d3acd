import { Router } from "express";
import { z } from "zod";
import type { SandboxEvent } from "../payments/delivery-engine";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import { requireStored } from "../payments/saved-state";
import {
  renderIntent,
  renderKeptCard,
  renderSetupIntent,
  renderSetupSession,
} from "./kept-card-objects";
import type { CardBehavior, StripeIntent, StripeKeptCard, StripeSetup } from "./kept-card-state";
import {
  emptyIntentParams,
  intentParams,
  noParams,
  parseParams,
  setupParams,
} from "./stripe-params";
import { createPayment } from "./stripe-records";
import { noSuch, StripeRefusal } from "./stripe-refusal";
import { nowInSeconds, type StripeState } from "./stripe-state";
import { renderSubscription } from "./subscription-objects";

interface KeptCardsContext {
  baseUrl: string;
  state: StripeState;
  prices: readonly SandboxPrice[];
  cards: StripeCards;
}

/** Stripe's refusals of a card, as its documentation of declines has them. */
const REFUSALS: Record<
  Exclude<CardBehavior, "good" | "requires_action">,
  { code: string; declineCode: string | null; message: string }
> = {
  generic_decline: {
    code: "card_declined",
    declineCode: "generic_decline",
    message: "Your card was declined.",
  },
  insufficient_funds: {
    code: "card_declined",
    declineCode: "insufficient_funds",
    message: "Your card has insufficient funds.",
  },
  expired_card: {
    code: "expired_card",
    declineCode: "expired_card",
    message: "Your card has expired.",
  },
  stolen_card: {
    code: "card_declined",
    declineCode: "stolen_card",
    message: "Your card was declined.",
  },
  authentication_required: {
    code: "authentication_required",
    declineCode: "authentication_required",
    message: "Your card was declined. This transaction requires authentication.",
  },
};

export type StripeCards = ReturnType<typeof createStripeCards>;

/** Cards that customers let Stripe keep, and payments with them. */
export function createStripeCards({
  state,
  send,
  event,
}: {
  state: StripeState;
  send(events: SandboxEvent[]): void;
  event(type: string, object: object): SandboxEvent;
}) {
  return {
    /** The customer enters a card on the hosted page. */
    keep(
      setup: StripeSetup,
      { brand, last4, behavior }: Pick<StripeKeptCard, "brand" | "last4" | "behavior">,
    ): StripeKeptCard {
      const card: StripeKeptCard = {
        ...{ id: createId("pm_"), customer: setup.customer, brand, last4, behavior },
        created: nowInSeconds(),
      };
      state.keptCards[card.id] = card;
      setup.status = "complete";
      send([
        event("setup_intent.succeeded", renderSetupIntent(setup, card)),
        event("payment_method.attached", renderKeptCard(card)),
        event("checkout.session.completed", renderSetupSession(setup, "")),
      ]);
      return card;
    },

    detach(card: StripeKeptCard): void {
      card.customer = null;
      send([event("payment_method.detached", renderKeptCard(card))]);
    },

    /** Charges a card: money moves here, and nowhere else. */
    charge(
      card: StripeKeptCard,
      order: Pick<StripeIntent, "amount" | "currency" | "metadata"> & { customer: string },
    ): StripeIntent {
      const { behavior } = card;
      const isWaiting = behavior === "requires_action";
      const error = behavior === "good" || isWaiting ? null : REFUSALS[behavior];
      const paid = error || isWaiting ? null : createPayment(state, order);
      const status = error ? "requires_payment_method" : "succeeded";
      const intent: StripeIntent = {
        ...order,
        ...{ id: paid?.id ?? createId("pi_"), card: card.id, charge: paid?.charge ?? null, error },
        status: isWaiting ? "requires_action" : status,
        ...{ created: nowInSeconds(), canceledAt: null },
      };
      state.intents[intent.id] = intent;
      const object = renderIntent(intent);
      const outcome = error ? "payment_failed" : intent.status;
      send([event("payment_intent.created", object), event(`payment_intent.${outcome}`, object)]);
      return intent;
    },

    /** A payment without a customer and a card: nothing is charged. */
    createEmpty(order: Pick<StripeIntent, "amount" | "currency" | "metadata">): StripeIntent {
      const intent: StripeIntent = {
        ...order,
        ...{ id: createId("pi_"), customer: null, card: null, charge: null, error: null },
        status: "requires_payment_method",
        ...{ created: nowInSeconds(), canceledAt: null },
      };
      state.intents[intent.id] = intent;
      send([event("payment_intent.created", renderIntent(intent))]);
      return intent;
    },

    cancel(intent: StripeIntent): void {
      intent.status = "canceled";
      intent.canceledAt = nowInSeconds();
      send([event("payment_intent.canceled", renderIntent(intent))]);
    },
  };
}

const withSubscriptions = z.strictObject({ expand: z.tuple([z.literal("subscriptions")]) });

const intentList = z.strictObject({
  customer: z.string().optional(),
  created: z.strictObject({ gte: z.string().regex(/^\d+$/) }),
  limit: z.string().regex(/^([1-9]\d?|100)$/),
  starting_after: z.string().optional(),
});

/** The endpoints of kept cards: pages that keep them, payments with them, and their removal. */
export function createKeptCardsApi({ baseUrl, state, prices, cards }: KeptCardsContext): Router {
  const api = Router();

  api.post("/checkout/sessions", ({ body }, response, next) => {
    if (body?.mode !== "setup") return next();
    const params = parseParams(setupParams, body);
    if (!state.customers[params.customer]) throw noSuch("customer", params.customer, "customer");
    const setup: StripeSetup = {
      ...{ id: createId("cs_test_"), status: "open", setupIntent: createId("seti_") },
      clientReferenceId: params.client_reference_id,
      customer: params.customer,
      metadata: params.metadata,
      setupMetadata: params.setup_intent_data.metadata,
      successUrl: params.success_url,
      cancelUrl: params.cancel_url,
      created: nowInSeconds(),
    };
    state.setups[setup.id] = setup;
    response.json(renderSetupSession(setup, baseUrl));
  });

  api.get("/customers/:id", ({ params: { id }, query }, response) => {
    parseParams(withSubscriptions, query);
    const customer = state.customers[id];
    if (!customer) throw noSuch("customer", id, "id", 404);
    const own = Object.values(state.keptCards).filter((card) => card.customer === id);
    const cardOf = (use: StripeKeptCard["pays"]) =>
      own.find(({ pays }) => pays === use)?.id ?? null;
    const usual = cardOf("customer");
    const running = Object.values(state.subscriptions).filter(
      (subscription) => subscription.customer === id && subscription.status !== "canceled",
    );
    const data = running.map((subscription) => {
      const rendered = renderSubscription(
        subscription,
        requirePrice(prices, subscription.priceId),
        "basil",
      );
      const others = usual ? null : rendered.default_payment_method;
      return { ...rendered, default_payment_method: cardOf("subscription") ?? others };
    });
    response.json({
      ...{ id, object: "customer", email: customer.email, livemode: false },
      invoice_settings: { default_payment_method: usual },
      subscriptions: { object: "list", data, has_more: false },
    });
  });

  api.get("/payment_methods/:id", ({ params: { id }, query }, response) => {
    parseParams(noParams, query);
    response.json(renderKeptCard(findCard(id)));
  });

  api.post("/payment_methods/:id/detach", ({ params: { id }, body }, response) => {
    parseParams(noParams, body);
    const card = findCard(id);
    if (card.customer === null) {
      const message =
        "The payment method you provided is not attached to a customer so detachment is impossible.";
      throw new StripeRefusal({ status: 400, message });
    }
    cards.detach(card);
    response.json(renderKeptCard(card));
  });

  api.post("/payment_intents", ({ body }, response, next) => {
    if (body?.confirm !== undefined) return next();
    const { amount, currency, metadata } = parseParams(emptyIntentParams, body);
    const empty = cards.createEmpty({ amount: Number(amount), currency, metadata });
    response.json(renderIntent(empty));
  });

  api.post("/payment_intents", ({ body }, response) => {
    const params = parseParams(intentParams, body);
    if (!state.customers[params.customer]) throw noSuch("customer", params.customer, "customer");
    const card = state.keptCards[params.payment_method];
    if (!card) throw noSuch("PaymentMethod", params.payment_method, "payment_method");
    if (card.customer !== params.customer)
      throw new StripeRefusal({
        status: 400,
        message: card.customer
          ? `The customer ${params.customer} does not have a payment method with the ID ${card.id}. The payment method must be attached to the customer.`
          : "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.",
      });
    const { currency, customer, metadata } = params;
    const amount = Number(params.amount);
    const intent = cards.charge(card, { amount, currency, customer, metadata });
    const { error } = intent;
    if (!error) return void response.json(renderIntent(intent));
    // Written here and not thrown, so that a repeated key gets it again.
    response.status(402).json({
      error: {
        ...{ type: "card_error", code: error.code, message: error.message },
        ...(error.declineCode ? { decline_code: error.declineCode } : {}),
        payment_intent: renderIntent(intent),
      },
    });
  });

  api.get("/payment_intents", ({ query }, response) => {
    const params = parseParams(intentList, query);
    const all = Object.values(state.intents)
      .filter(({ customer }) => params.customer === undefined || customer === params.customer)
      .filter(({ created }) => created >= Number(params.created.gte))
      .toReversed();
    const after = params.starting_after;
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(start, start + Number(params.limit));
    const has_more = start + data.length < all.length;
    response.json({ object: "list", data: data.map(renderIntent), has_more });
  });

  api.get("/payment_intents/:id", ({ params: { id }, query }, response) => {
    parseParams(noParams, query);
    response.json(renderIntent(findIntent(id)));
  });

  api.post("/payment_intents/:id/cancel", ({ params: { id }, body }, response) => {
    parseParams(noParams, body);
    const intent = findIntent(id);
    if (intent.status === "succeeded" || intent.status === "canceled") {
      const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`;
      throw new StripeRefusal({ status: 400, code: "payment_intent_unexpected_state", message });
    }
    cards.cancel(intent);
    response.json(renderIntent(intent));
  });

  function findCard(id: string): StripeKeptCard {
    const card = state.keptCards[id];
    if (!card) throw noSuch("PaymentMethod", id, "payment_method", 404);
    return card;
  }

  function findIntent(id: string): StripeIntent {
    if (!state.intents[id]) throw noSuch("payment_intent", id, "intent", 404);
    return requireStored(state.intents, id);
  }

  return api;
}
