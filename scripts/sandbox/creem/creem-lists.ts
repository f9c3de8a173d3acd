import { Router } from "express";
import { z } from "zod";
import type { CreemBilling } from "./creem-billing";
import { renderCheckout } from "./creem-objects";
import { CreemRefusal, parseBody } from "./creem-refusal";
import type { CreemState } from "./creem-state";

const number = z.string().regex(/^[1-9]\d*$/);
const page = { page_number: number, page_size: number };
const checkoutQuery = z.strictObject({ checkout_id: z.string().startsWith("ch_") });
const subscriptionById = z.strictObject({ subscription_id: z.string().startsWith("sub_") });
const subscriptionQuery = z.strictObject(page);
const transactionQuery = z.strictObject({
  ...page,
  product_id: z.string().startsWith("prod_").optional(),
  customer_id: z.string().startsWith("cust_").optional(),
});

/** Checkouts and subscriptions by id, and paginated lists for reconciliation, newest first. */
export function createCreemLists({
  state,
  billing,
}: {
  state: CreemState;
  billing: CreemBilling;
}): Router {
  const lists = Router();

  lists.get("/checkouts", ({ query }, response) => {
    const { checkout_id: id } = parseBody(checkoutQuery, query);
    const checkout = state.checkouts[id];
    if (!checkout) throw new CreemRefusal(404, ["Checkout not found"]);
    const order = checkout.order === null ? undefined : state.orders[checkout.order];
    response.json(
      order
        ? billing.renderCompleted(checkout, order)
        : { ...renderCheckout(checkout), product: checkout.productId },
    );
  });

  lists.get("/subscriptions", ({ query }, response) => {
    const { subscription_id: id } = parseBody(subscriptionById, query);
    const subscription = state.subscriptions[id];
    if (!subscription) throw new CreemRefusal(404, ["Subscription not found"]);
    response.json(billing.render(subscription));
  });

  lists.get("/subscriptions/search", ({ query }, response) => {
    const params = parseBody(subscriptionQuery, query);
    response.json(
      pageOf(Object.values(state.subscriptions), params, (subscription) =>
        billing.render(subscription),
      ),
    );
  });

  lists.get("/transactions/search", ({ query }, response) => {
    const params = parseBody(transactionQuery, query);
    const { product_id: product, customer_id: customer } = params;
    const found = Object.values(state.orders).filter(
      (order) =>
        (product === undefined || order.productId === product) &&
        (customer === undefined || order.customer === customer),
    );
    response.json(pageOf(found, params, billing.renderTransaction));
  });
  return lists;
}

function pageOf<T>(
  oldestFirst: readonly T[],
  params: { page_number: string; page_size: string },
  render: (record: T) => object,
) {
  const [number, size] = [Number(params.page_number), Number(params.page_size)];
  const items = oldestFirst.toReversed().slice((number - 1) * size, number * size);
  const pages = Math.ceil(oldestFirst.length / size);
  return {
    items: items.map(render),
    pagination: {
      total_records: oldestFirst.length,
      total_pages: pages,
      current_page: number,
      next_page: number < pages ? number + 1 : null,
      prev_page: number > 1 ? number - 1 : null,
    },
  };
}
