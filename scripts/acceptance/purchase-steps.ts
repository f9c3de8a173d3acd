import { CATALOG_ITEMS, type CatalogItem, slotOf } from "~/catalog";
import { PAYMENT_PROVIDERS, pricesOf } from "~/env/payments";
import { orderSource } from "~/models/billing/orders/orders.server";
import { formatAmount, toMinorUnits } from "~/utils/money";
import { poll } from "./poll";
import { type Acceptance, demand, type Evidence } from "./step";
import { findCheckoutDelivery } from "./webhook-steps";

/** Milliseconds from the provider's event to its last effect. */
const SETTLE_MS = 60_000;

/** Opens a hosted checkout and asks the person at the terminal to pay it. */
async function openCheckout(
  { client, tell }: Acceptance,
  path: string,
  item: object,
  what: string,
): Promise<string> {
  const { status, body } = await client.json(path, item);
  demand(status === 200, `${path} returned ${status} ${body.code ?? ""}`);
  tell(`Open this in a browser, and pay for ${what} with a test card:`);
  tell(String(body.url));
  return String(body.sessionId);
}

/** Returns the first item of the catalog that has a price. */
function requireItem<Type extends CatalogItem["type"]>(
  { payments, records }: Acceptance,
  type: Type,
): Extract<CatalogItem, { type: Type }> {
  const prices = pricesOf(records.name, payments);
  const isSold = (item: CatalogItem): item is Extract<CatalogItem, { type: Type }> =>
    item.type === type && prices[slotOf(item)] !== null;
  const item = CATALOG_ITEMS.find(isSold);
  demand(item, `no ${type} has a price: set a ${PAYMENT_PROVIDERS[records.name].priceVariable}_…`);
  return item;
}

/** Buys a pack in a browser. Its order must arrive by the webhook alone. */
export async function checkPurchase(
  acceptance: Acceptance,
): Promise<[string, Evidence & { checkoutId: string }]> {
  const { db, records, userId, waitMs } = acceptance;
  const checkoutId = await openCheckout(
    acceptance,
    "/api/payments/checkout",
    requireItem(acceptance, "pack"),
    "a pack",
  );
  const order = await poll(
    () =>
      db.order.findFirst({
        where: { provider: records.name, providerCheckoutId: checkoutId, userId, status: "paid" },
        select: { id: true, amount: true, currency: true, credits: true },
      }),
    { withinMs: waitMs, otherwise: "no paid order has come", tell: acceptance.tell },
  );
  const { id: orderId, credits, currency } = order;
  const amount = toMinorUnits(order.amount);
  return [
    `order ${orderId}: ${credits} credits for ${formatAmount({ amount, currency })}`,
    { checkoutId, orderId, credits, amount },
  ];
}

/** Checks the database after the purchase: one grant, and its event is processed. */
export async function checkReadBack(
  acceptance: Acceptance,
  checkoutId: string,
): Promise<[string, Evidence]> {
  const { db, records } = acceptance;
  const delivery = await poll(() => findCheckoutDelivery(acceptance, checkoutId), {
    withinMs: SETTLE_MS,
    otherwise: "the checkout's event is not in the inbox",
  });
  demand(
    delivery.status === "processed",
    `the event is ${delivery.status}: webhooks show ${delivery.id}`,
  );
  const source = orderSource(records.name, checkoutId);
  const grant = await db.creditTransaction.findUnique({
    where: { source },
    select: { id: true, type: true, amount: true },
  });
  demand(grant?.type === "grant", `no row of the ledger has the source ${source}`);
  return [
    `ledger row ${grant.id} grants ${grant.amount} credits, event ${delivery.type} is processed`,
    {
      ledgerRow: String(grant.id),
      granted: grant.amount,
      event: delivery.dedupeKey,
      eventStatus: delivery.status,
    },
  ];
}

/** Buys a plan in a browser. It must be active and have granted its first month. */
export async function checkSubscription(
  acceptance: Acceptance,
): Promise<[string, Evidence & { subscriptionId: string }]> {
  const { db, records, userId, waitMs } = acceptance;
  await openCheckout(
    acceptance,
    "/api/payments/subscription/checkout",
    requireItem(acceptance, "plan"),
    "a plan",
  );
  const row = await poll(
    () =>
      db.subscription.findFirst({
        where: { provider: records.name, userId, status: { in: ["active", "trialing"] } },
        select: { id: true, status: true, providerSubscriptionId: true, grantsIssued: true },
      }),
    { withinMs: waitMs, otherwise: "no running subscription has come", tell: acceptance.tell },
  );
  demand(row.grantsIssued > 0, "the subscription is active but has granted no credits");
  return [
    `subscription ${row.providerSubscriptionId} is ${row.status}, and its first month is given`,
    {
      subscriptionId: row.id,
      providerSubscriptionId: row.providerSubscriptionId,
      status: row.status,
    },
  ];
}
