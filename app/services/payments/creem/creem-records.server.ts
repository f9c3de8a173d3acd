import { z } from "zod";
import { itemOf, PRICE_SLOTS, type PriceSlot, RETIRED } from "~/catalog";
import { type Prices, productId } from "~/env/prices";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import type {
  Attempt,
  BillingRecords,
  UnresolvedPayment,
} from "~/services/payments/billing-records.server";
import { createCreemClient } from "~/services/payments/creem/creem-client.server";
import { creemTransaction, readReturnOf } from "~/services/payments/creem/creem-transaction";
import { creemInvoice, readInvoiceEvent } from "~/services/payments/creem/invoice-event";
import { creemCheckout, readCheckoutEvent } from "~/services/payments/creem/payment-events";
import {
  creemSubscription,
  readSubscriptionChange,
} from "~/services/payments/creem/subscription-event";
import { instantOfReading, readRecord } from "~/services/payments/read-record";

const PAGE = 100;

const page = z.object({
  items: z.array(z.unknown()),
  pagination: z.object({ next_page: z.int().nullish() }),
});
const withStatus = z.object({ status: z.string() });

/**
 * Creem's records. Its API lists no checkouts: a pack's payments are its products' transactions, which
 * name neither their checkout nor its metadata.
 */
export function createCreemRecords(
  { apiKey, apiBase, products }: { apiKey: string; apiBase: string; products: Prices },
  attempt: Attempt,
): BillingRecords {
  const creem = createCreemClient({ apiKey, apiBase });
  const isPack = (slot: PriceSlot) => itemOf(slot).type === "pack";
  const packs = PRICE_SLOTS.filter(isPack).flatMap((slot) => products[slot] ?? []);
  const plans = [
    ...PRICE_SLOTS.filter((slot) => !isPack(slot)).flatMap((slot) => products[slot] ?? []),
    // Of both providers.
    ...RETIRED.map(({ price }) => price).filter((price) => productId.safeParse(price).success),
  ];

  async function* pages(
    path: string,
    filter: Record<string, string> = {},
  ): AsyncGenerator<unknown[]> {
    let number: number | null = 1;
    while (number) {
      const query: URLSearchParams = new URLSearchParams({
        ...filter,
        page_number: `${number}`,
        page_size: `${PAGE}`,
      });
      const found: z.output<typeof page> | null = await attempt(() =>
        creem.get(`${path}?${query}`, page),
      );
      if (!found || found.items.length === 0) return;
      yield found.items;
      number = found.pagination.next_page ?? null;
    }
  }

  async function* listTransactions(productIds: string[]) {
    for (const product_id of productIds) yield* pages("/transactions/search", { product_id });
  }

  const readSubscription = (item: unknown, occurredAt: Date) =>
    readRecord("subscription", creemSubscription, item, (read) =>
      readSubscriptionChange(read, { prices: products, occurredAt, family: "update" }),
    );

  return {
    name: "creem",

    async *listPayments(since) {
      for await (const items of listTransactions(packs))
        yield items.flatMap((item): (BillingEvent | UnresolvedPayment)[] => {
          const read = creemTransaction.safeParse(item);
          if (!read.success) return [unreadable(item)];
          const { id, order, created_at: createdAt, status, ...paid } = read.data;
          if (!order || createdAt < since || !status.paid) return [];
          return [
            {
              kind: "payment",
              transactionId: id,
              paymentId: order,
              createdAt,
              amount: paid.amount_paid ?? paid.amount,
              currency: paid.currency,
            },
          ];
        });
    },

    // Creem charges no card without its owner.
    async *listCharges() {},

    // Of any age: a transaction does not say when it was refunded.
    async *listReturns() {
      for await (const items of listTransactions([...plans, ...packs]))
        yield items.flatMap((item) => {
          const event = readRecord("transaction", creemTransaction, item, readReturnOf);
          return event.kind === "unknown" ? [] : [event];
        });
    },

    async *listSubscriptions() {
      let occurredAt = instantOfReading();
      for await (const items of pages("/subscriptions/search")) {
        yield items.map((item) => readSubscription(item, occurredAt));
        occurredAt = instantOfReading();
      }
    },

    async findSubscription(id) {
      const occurredAt = instantOfReading();
      const path = `/subscriptions?subscription_id=${encodeURIComponent(id)}`;
      const found = await attempt(() => creem.get(path, z.unknown()));
      return found === null ? null : readSubscription(found, occurredAt);
    },

    // A transaction doesn't name its product: the subscription's own may have changed since.
    async listPaidPeriods({ providerSubscriptionId, customerId }) {
      const paid: { event: InvoicePaid; at: Date }[] = [];
      const filter: Record<string, string> = customerId ? { customer_id: customerId } : {};
      for (const product_id of plans)
        for await (const items of pages("/transactions/search", { ...filter, product_id })) {
          for (const item of items) {
            const { data } = creemTransaction.safeParse(item);
            if (data?.subscription !== providerSubscriptionId || !data.status.paid) continue;
            const context = {
              ...{ prices: products, type: "transaction", paid: true },
              occurredAt: data.created_at,
            };
            const event = readInvoiceEvent(creemInvoice.parse(item), context);
            if (event.kind === "invoice_paid")
              paid.push({ event: { ...event, priceId: product_id }, at: data.created_at });
          }
        }
      return paid.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ event }) => event);
    },

    // Creem's list can't be asked by date.
    async *listPaidInvoices(since) {
      for await (const items of listTransactions(plans))
        yield items.flatMap((item) => {
          const { data } = creemTransaction.safeParse(item);
          if (!data?.subscription || !data.status.paid || data.created_at < since) return [];
          return [{ invoiceId: data.id, providerSubscriptionId: data.subscription }];
        });
    },

    async findCheckout(id) {
      const path = `/checkouts?checkout_id=${encodeURIComponent(id)}`;
      const found = await attempt(() => creem.get(path, z.unknown()));
      if (withStatus.safeParse(found).data?.status !== "completed") return null;
      return readRecord("checkout", creemCheckout, found, (read) =>
        readCheckoutEvent(read, "checkout"),
      );
    },
  };
}

function unreadable(item: unknown): BillingEvent {
  return readRecord("transaction", creemTransaction, item, () => ({
    kind: "unknown",
    type: "transaction",
  }));
}
