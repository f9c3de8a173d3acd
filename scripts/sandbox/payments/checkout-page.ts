import { formatMoney } from "../../../app/utils/money";
import { escapeHtml, linkTo, type Notice, renderPage } from "./page";
import type { SandboxPrice } from "./sandbox-catalog";

export const DECLINED: Notice = {
  tone: "bad",
  text: "Your card was declined. Nothing was charged; you can try again.",
};

export const CODE_APPLIED: Notice = { tone: "good", text: "The code was applied." };
export const CODE_UNKNOWN: Notice = { tone: "bad", text: "There is no such code." };

export interface CheckoutPage {
  provider: "Stripe" | "Creem";
  price: SandboxPrice;
  /** Minor units. */
  discount: number;
  tax: number;
  total: number;
  /** Whether the buyer can enter a promotion code. */
  takesCodes: boolean;
  buyer: string;
  /** Return URL for a buyer who doesn't pay. */
  backUrl: string;
  notice?: Notice | undefined;
}

/** Renders the hosted checkout: a plain form that posts `intent` to its own address. */
export function renderCheckout(page: CheckoutPage): string {
  const { provider, price, total, buyer, backUrl, notice } = page;
  const every = price.interval ? ` <small>every ${price.interval}</small>` : "";
  const verb = price.interval ? "Subscribe" : "Pay";
  return renderPage({
    title: `${provider} sandbox checkout`,
    notice,
    body: `<section>
<h2>${escapeHtml(price.name)}</h2>
<p class="amount">${escapeHtml(money(total, price))}${every}</p>
${renderLines(page)}<p>For ${escapeHtml(buyer)}</p>
${page.takesCodes ? CODE_FORM : ""}<form method="post">
<button class="primary" name="intent" value="pay">${verb}</button>
<button name="intent" value="decline">Pay with a card that is declined</button>
</form>
<div class="actions">${linkTo(backUrl, "Go back without paying")}</div>
</section>`,
  });
}

const CODE_FORM = `<form method="post">
<label>Promotion code <input name="code" required></label>
<button name="intent" value="apply_code">Apply</button>
</form>
`;

const money = (amount: number, { currency }: SandboxPrice) =>
  formatMoney({ amount, currency }, "en");

/** The lines between the price and the total, if they differ. */
function renderLines({ price, discount, tax }: CheckoutPage): string {
  const lines = [
    ...(discount > 0 ? [`Discount: ${money(discount, price)}`] : []),
    ...(tax > 0 ? [`Tax: ${money(tax, price)}`] : []),
  ];
  return lines.map((line) => `<p>${escapeHtml(line)}</p>\n`).join("");
}

/** Renders a checkout that is already paid. */
export function renderPaid(provider: CheckoutPage["provider"], returnUrl: string): string {
  return renderPage({
    title: `${provider} sandbox checkout`,
    notice: { tone: "good", text: "This checkout is paid." },
    body: `<section class="actions">${linkTo(returnUrl, "Return to the site")}</section>`,
  });
}

/** Renders a checkout that can't be paid any more. */
export function renderExpired(provider: CheckoutPage["provider"], backUrl: string): string {
  return renderPage({
    title: `${provider} sandbox checkout`,
    notice: { tone: "bad", text: "This checkout has expired. Nothing was charged." },
    body: `<section class="actions">${linkTo(backUrl, "Back to the site")}</section>`,
  });
}
