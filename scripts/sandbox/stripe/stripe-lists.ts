import { Router } from "express";
import { z } from "zod";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { renderInvoice, renderInvoicePayments } from "./invoice-objects";
import { renderSession } from "./payment-objects";
import { renderCharge, renderDispute, renderRefund } from "./return-objects";
import { noParams, parseParams } from "./stripe-params";
import { StripeRefusal } from "./stripe-refusal";
import type { StripeInvoice, StripePayment, StripeState } from "./stripe-state";
import { renderSubscription } from "./subscription-objects";

const text = z.string().min(1);
const page = {
  limit: z.string().regex(/^([1-9]\d?|100)$/),
  starting_after: text.optional(),
};
const created = z.strictObject({ gte: z.string().regex(/^\d+$/) });
const sessionList = z.strictObject({ ...page, created, status: z.literal("complete") });
const subscriptionList = z.strictObject({ ...page, status: z.literal("all") });
const invoiceList = z.strictObject({
  ...page,
  subscription: text.optional(),
  created: created.optional(),
  status: z.literal("paid"),
  expand: z.tuple([z.literal("data.payments")]).optional(),
});
/** Of refunds and of disputes. */
const returnList = z.strictObject({
  ...page,
  created: created.optional(),
  payment_intent: text.startsWith("pi_").optional(),
  expand: z.tuple([z.literal("data.charge")]).optional(),
});

interface StripeListsContext {
  baseUrl: string;
  state: StripeState;
  prices: readonly SandboxPrice[];
}

/** Endpoints for reconciliation: paginated lists, newest first, and sessions by id. */
export function createStripeLists({ baseUrl, state, prices }: StripeListsContext): Router {
  const lists = Router();
  const priceOf = ({ priceId }: { priceId: string }) => requirePrice(prices, priceId);
  const render = {
    session: (session: StripeState["sessions"][string]) =>
      renderSession(session, priceOf(session), baseUrl),
    invoice(invoice: StripeInvoice) {
      const subscription = requireRecord(state.subscriptions, invoice.subscription, "subscription");
      const context = { subscription, prices, generation: "basil", baseUrl } as const;
      const payments = renderInvoicePayments(invoice, context);
      return {
        ...renderInvoice(invoice, context),
        payments: { object: "list", data: payments, has_more: false },
      };
    },
  };

  /** A page of refunds or disputes; the charge in full if it was asked for. */
  function listReturns<T extends { id: string; payment: string; created: number }>(
    query: unknown,
    records: Record<string, T>,
    renderReturn: (one: T, payment: StripePayment) => object,
  ) {
    const { created, payment_intent: intent, expand, ...params } = parseParams(returnList, query);
    if (intent !== undefined && !state.payments[intent])
      throw noSuch(intent, "payment_intent", "payment_intent");
    const found = since(Object.values(records), created?.gte ?? "0").filter(
      ({ payment }) => intent === undefined || payment === intent,
    );
    return listOf(found, params, (one) => {
      const payment = requireRecord(state.payments, one.payment, "payment_intent");
      const rendered = renderReturn(one, payment);
      return expand ? { ...rendered, charge: renderCharge(state, payment) } : rendered;
    });
  }

  lists.get("/checkout/sessions", ({ query }, response) => {
    const params = parseParams(sessionList, query);
    const complete = Object.values(state.sessions).filter(({ status }) => status === "complete");
    response.json(listOf(since(complete, params.created.gte), params, render.session));
  });

  lists.get("/checkout/sessions/:id", ({ params: { id }, query }, response) => {
    parseParams(noParams, query);
    response.json(render.session(requireRecord(state.sessions, id, "checkout.session")));
  });

  lists.get("/subscriptions", ({ query }, response) => {
    const params = parseParams(subscriptionList, query);
    const all = Object.values(state.subscriptions);
    response.json(
      listOf(all, params, (subscription) =>
        renderSubscription(subscription, priceOf(subscription), "basil"),
      ),
    );
  });

  lists.get("/invoices", ({ query }, response) => {
    const params = parseParams(invoiceList, query);
    const paid = Object.values(state.invoices).filter(
      ({ subscription, status }) =>
        // A forgotten subscription's invoices are forgotten, too.
        state.subscriptions[subscription] &&
        status === "paid" &&
        (!params.subscription || subscription === params.subscription),
    );
    response.json(listOf(since(paid, params.created?.gte ?? "0"), params, render.invoice));
  });

  lists.get("/refunds", ({ query }, response) => {
    response.json(listReturns(query, state.refunds, renderRefund));
  });

  lists.get("/disputes", ({ query }, response) => {
    response.json(listReturns(query, state.disputes, renderDispute));
  });
  return lists;
}

function since<T extends { created: number }>(records: T[], gte: string): T[] {
  return records.filter(({ created }) => created >= Number(gte));
}

function listOf<T extends { id: string }>(
  oldestFirst: readonly T[],
  params: { limit: string; starting_after?: string | undefined },
  render: (record: T) => object,
) {
  const all = oldestFirst.toReversed();
  const after = params.starting_after;
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuch(after, "object", "starting_after");
  const data = all.slice(start, start + Number(params.limit));
  return {
    object: "list",
    data: data.map(render),
    has_more: start + data.length < all.length,
  };
}

function requireRecord<T>(records: Record<string, T>, id: string, what: string): T {
  const record = records[id];
  if (!record) throw noSuch(id, what, "id");
  return record;
}

function noSuch(id: string, what: string, param: string): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  return new StripeRefusal({ status: 404, code: "resource_missing", message, param });
}
