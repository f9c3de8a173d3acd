import { Router } from "express";
import { z } from "zod";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { renderInvoice, renderInvoicePayment } from "./invoice-objects";
import { renderCharge, renderDispute, renderSession } from "./payment-objects";
import { parseParams } from "./stripe-params";
import { StripeRefusal } from "./stripe-refusal";
import type { StripeInvoice, StripeReversal, StripeState } from "./stripe-state";
import { renderSubscription } from "./subscription-objects";

const text = z.string().min(1);
const page = {
  limit: z.string().regex(/^([1-9]\d?|100)$/),
  starting_after: text.optional(),
};
const created = z.strictObject({ gte: z.string().regex(/^\d+$/) });
const noParams = z.strictObject({});
const sessionList = z.strictObject({ ...page, created, status: z.literal("complete") });
const subscriptionList = z.strictObject({ ...page, status: z.literal("all") });
const invoiceList = z.strictObject({
  ...page,
  subscription: text,
  status: z.literal("paid"),
  expand: z.tuple([z.literal("data.payments")]),
});
const refundList = z.strictObject({
  ...page,
  created,
  expand: z.tuple([z.literal("data.charge")]),
});
const disputeList = z.strictObject({ ...page, created });

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
      const payments = invoice.payment ? [renderInvoicePayment(invoice, context)] : [];
      return {
        ...renderInvoice(invoice, context),
        payments: { object: "list", data: payments, has_more: false },
      };
    },
    refund: ({ id, payment, amount, created }: StripeReversal) => {
      const charged = requireRecord(state.payments, payment, "payment_intent");
      const charge = renderCharge(charged);
      return { id, object: "refund", amount, created, payment_intent: payment, charge };
    },
  };

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
      ({ subscription, status }) => subscription === params.subscription && status === "paid",
    );
    response.json(listOf(paid, params, render.invoice));
  });

  lists.get("/refunds", ({ query }, response) => {
    const params = parseParams(refundList, query);
    const refunds = since(Object.values(state.refunds), params.created.gte);
    response.json(listOf(refunds, params, render.refund));
  });

  lists.get("/disputes", ({ query }, response) => {
    const params = parseParams(disputeList, query);
    const disputes = since(Object.values(state.disputes), params.created.gte);
    response.json(
      listOf(disputes, params, (dispute) =>
        renderDispute(requireRecord(state.payments, dispute.payment, "payment_intent"), dispute),
      ),
    );
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
