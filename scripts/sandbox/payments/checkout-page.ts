import { formatMoney } from "../../../app/utils/money";
import { escapeHtml, linkTo, type Notice, renderPage } from "./page";
import type { SandboxPrice } from "./sandbox-catalog";

export const DECLINED: Notice = {
  tone: "bad",
  text: "Your card was declined. Nothing was charged; you can try again.",
};

export interface CheckoutPage {
  provider: "Stripe" | "Creem";
  price: SandboxPrice;
  buyer: string;
  /** Return URL for a buyer who doesn't pay. */
  backUrl: string;
  notice?: Notice | undefined;
}

/** Renders the hosted checkout: a plain form that posts `intent` to its own address. */
export function renderCheckout({ provider, price, buyer, backUrl, notice }: CheckoutPage): string {
  const every = price.interval ? ` <small>every ${price.interval}</small>` : "";
  const verb = price.interval ? "Subscribe" : "Pay";
  return renderPage({
    title: `${provider} sandbox checkout`,
    notice,
    body: `<section>
<h2>${escapeHtml(price.name)}</h2>
<p class="amount">${escapeHtml(formatMoney(price, "en"))}${every}</p>
<p>For ${escapeHtml(buyer)}</p>
<form method="post">
<button class="primary" name="intent" value="pay">${verb}</button>
<button name="intent" value="decline">Pay with a card that is declined</button>
</form>
<div class="actions">${linkTo(backUrl, "Go back without paying")}</div>
</section>`,
  });
}

/** Renders a checkout that is already paid. */
export function renderPaid(provider: CheckoutPage["provider"], returnUrl: string): string {
  return renderPage({
    title: `${provider} sandbox checkout`,
    notice: { tone: "good", text: "This checkout is paid." },
    body: `<section class="actions">${linkTo(returnUrl, "Return to the site")}</section>`,
  });
}
