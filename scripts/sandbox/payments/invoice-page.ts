import express, { Router } from "express";
import { formatMoney } from "~/utils/money";
import { asyncRoute } from "./async-route";
import type { DeliveryEngine } from "./delivery-engine";
import { RETURN_AFTER_MS } from "./hosted-pages";
import { escapeHtml, renderPage } from "./page";

interface HostedInvoice {
  id: string;
  amount: number;
  currency: string;
  isPaid: boolean;
  pay(): void;
}

/** The hosted page of an invoice: its payment, with which an open change of plan takes effect. */
export function createInvoicePages({
  engine,
  find,
}: {
  engine: DeliveryEngine;
  find(id: string): HostedInvoice | null;
}): Router {
  const pages = Router();
  pages.use(express.urlencoded({ extended: false }));

  pages.get("/i/:id", ({ params }, response, next) => {
    const invoice = find(params.id);
    if (!invoice) return next();
    response.send(renderInvoicePage(invoice));
  });

  pages.post(
    "/i/:id",
    asyncRoute(async ({ params, originalUrl }, response) => {
      const invoice = find(params.id ?? "");
      if (!invoice) return void response.sendStatus(404);
      if (!invoice.isPaid) {
        invoice.pay();
        await engine.idle(RETURN_AFTER_MS);
      }
      response.redirect(303, originalUrl);
    }),
  );
  return pages;
}

function renderInvoicePage({ id, amount, currency, isPaid }: HostedInvoice): string {
  const form = `<form method="post"><button class="primary">Pay the invoice</button></form>`;
  return renderPage({
    title: "Stripe sandbox invoice",
    notice: isPaid ? { tone: "good", text: "This invoice is paid." } : undefined,
    body: `<section>
<h2>Invoice ${escapeHtml(id)}</h2>
<p class="amount">${escapeHtml(formatMoney({ amount, currency }, "en"))}</p>
${isPaid ? "" : form}
</section>`,
  });
}
