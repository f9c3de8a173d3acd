import express, { type RequestHandler, Router } from "express";
import { z } from "zod";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import type { CreemBehavior } from "./creem-behavior";
import type { CreemBilling } from "./creem-billing";
import { createCreemLists } from "./creem-lists";
import { createCreemModeration } from "./creem-moderation";
import { renderCustomer, renderProduct } from "./creem-objects";
import { CreemRefusal, parseBody, sendCreemRefusal } from "./creem-refusal";
import type { CreemCheckout, CreemState } from "./creem-state";

interface CreemApiContext {
  baseUrl: string;
  apiKey: string;
  state: CreemState;
  products: readonly SandboxPrice[];
  billing: CreemBilling;
  behavior(): CreemBehavior;
  /** Called for every request after its body is parsed. */
  record: RequestHandler;
}

/**
 * Parameters our app may and must send for a checkout; stricter than Creem. The success URL must have no
 * parameters of ours, because Creem would sign them along with its own.
 */
const checkoutParams = z.strictObject({
  product_id: z.string().startsWith("prod_"),
  request_id: z.string().min(1).max(255),
  units: z.literal(1),
  customer: z.union([
    z.strictObject({ id: z.string().startsWith("cust_") }),
    z.strictObject({ email: z.email() }),
  ]),
  success_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => new URL(url).search === "", "must have no parameters"),
  metadata: z.record(z.string(), z.string()),
});
const cancelParams = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("scheduled"), onExecute: z.literal("cancel") }),
  z.strictObject({ mode: z.literal("immediate") }),
]);
const resumeParams = z.strictObject({});
const upgradeParams = z.strictObject({
  product_id: z.string().startsWith("prod_"),
  update_behavior: z.literal("proration-charge-immediately"),
});
const productParams = z.strictObject({ product_id: z.string().startsWith("prod_") });
const billingParams = z.strictObject({ customer_id: z.string().startsWith("cust_") });

/** The part of `/v1` that our app and `npm run test:sandbox` use: strict JSON in, JSON out. */
export function createCreemApi(context: CreemApiContext): Router {
  const { baseUrl, state, products, billing } = context;
  const api = Router();
  api.use(express.json(), context.record, requireKey(context.apiKey));

  api.post("/checkouts", ({ body }, response) => {
    const params = parseBody(checkoutParams, body);
    if (!products.some(({ id }) => id === params.product_id))
      throw new CreemRefusal(404, ["Product not found"]);
    const customer = "id" in params.customer ? params.customer.id : null;
    if (customer !== null && !state.customers[customer])
      throw new CreemRefusal(404, ["Customer not found"]);
    const checkout: CreemCheckout = {
      id: createId("ch_"),
      status: "pending",
      productId: params.product_id,
      requestId: params.request_id,
      successUrl: params.success_url,
      metadata: params.metadata,
      customer,
      email: "email" in params.customer ? params.customer.email : null,
      order: null,
      subscription: null,
    };
    state.checkouts[checkout.id] = checkout;
    response.json({
      id: checkout.id,
      object: "checkout",
      mode: "test",
      status: checkout.status,
      request_id: checkout.requestId,
      product: checkout.productId,
      units: 1,
      success_url: checkout.successUrl,
      checkout_url: `${baseUrl}/checkout/${checkout.id}`,
      metadata: checkout.metadata,
    });
  });

  api.use(createCreemLists({ state, billing }));
  api.use(createCreemModeration());

  api.get("/customers/list", (_request, response) => {
    const items = Object.values(state.customers).map(renderCustomer);
    const pagination = { total_records: items.length, total_pages: 1, current_page: 1 };
    response.json({ items, pagination });
  });

  api.get("/products", ({ query }, response) => {
    const { product_id: id } = parseBody(productParams, query);
    const product = products.find((candidate) => candidate.id === id);
    if (!product) throw new CreemRefusal(404, ["Product not found"]);
    response.json(renderProduct(product));
  });

  api.post("/subscriptions/:id/cancel", ({ params, body }, response) => {
    const { mode } = parseBody(cancelParams, body);
    const subscription = state.subscriptions[params.id];
    if (!subscription) throw new CreemRefusal(404, ["Subscription not found"]);
    if (subscription.status === "canceled")
      throw new CreemRefusal(400, ["Subscription is already canceled"]);
    const before = billing.render(subscription);
    if (mode === "immediate") billing.end(subscription);
    else if (["paused", "expired"].includes(subscription.status))
      throw new CreemRefusal(400, [
        `A subscription that is ${subscription.status} has no period to end with`,
      ]);
    else if (subscription.status !== "scheduled_cancel") billing.scheduleCancellation(subscription);
    response.json(context.behavior().answersEarly ? before : billing.render(subscription));
  });

  api.post("/subscriptions/:id/resume", ({ params, body }, response) => {
    parseBody(resumeParams, body);
    const subscription = state.subscriptions[params.id];
    if (!subscription) throw new CreemRefusal(404, ["Subscription not found"]);
    if (!["paused", "scheduled_cancel"].includes(subscription.status))
      throw new CreemRefusal(400, ["Subscription is neither paused nor scheduled to be canceled"]);
    billing.keep(subscription);
    response.json(billing.render(subscription));
  });

  api.post("/subscriptions/:id/upgrade", ({ params, body }, response) => {
    const { product_id: productId } = parseBody(upgradeParams, body);
    const subscription = state.subscriptions[params.id];
    if (!subscription) throw new CreemRefusal(404, ["Subscription not found"]);
    const product = products.find(({ id }) => id === productId);
    if (!product) throw new CreemRefusal(404, ["Product not found"]);
    if (!product.interval) throw new CreemRefusal(400, ["Product is not recurring"]);
    if (subscription.productId === productId)
      throw new CreemRefusal(400, ["Subscription already has this product"]);
    if (subscription.status !== "active")
      throw new CreemRefusal(400, ["Subscription is not active"]);
    billing.upgrade(subscription, productId);
    response.json(billing.render(subscription));
  });

  api.post("/customers/billing", ({ body }, response) => {
    const { customer_id: customer } = parseBody(billingParams, body);
    if (!state.customers[customer]) throw new CreemRefusal(404, ["Customer not found"]);
    const last = Object.values(state.checkouts).findLast((it) => it.customer === customer);
    const token = createId("portal_");
    state.portals[token] = { customer, backUrl: last ? new URL(last.successUrl).origin : "" };
    response.json({ customer_portal_link: `${baseUrl}/portal/${token}` });
  });

  api.use((request) => {
    throw new CreemRefusal(404, [`Cannot ${request.method} ${request.originalUrl}`]);
  });
  api.use(sendCreemRefusal);
  return api;
}

function requireKey(apiKey: string): RequestHandler {
  return (request, _response, next) => {
    if (request.get("x-api-key") === apiKey) return next();
    throw new CreemRefusal(401, ["Invalid API key"]);
  };
}
