import { formatMoney } from "../../../app/utils/money";
import { escapeHtml, formatDate, linkTo, type Notice, renderPage } from "./page";
import type { SandboxPrice } from "./sandbox-catalog";

export interface PortalSubscription {
  id: string;
  price: SandboxPrice;
  status: string;
  periodEnd: Date;
  /** Whether it ends with its current period. */
  ending: boolean;
}

interface PortalPage {
  provider: "Stripe" | "Creem";
  offersNow: boolean;
  /** Whether the configuration lets customers change their plan. The page only says so. */
  offersChanges?: boolean | undefined;
  subscriptions: PortalSubscription[];
  backUrl: string;
  notice?: Notice | undefined;
}

/** Renders the customer portal: one form per subscription, which posts its id and `intent`. */
export function renderPortal(page: PortalPage): string {
  const { provider, subscriptions, offersNow, offersChanges, backUrl, notice } = page;
  const sections = subscriptions.map((one) => renderSubscription(one, offersNow)).join("\n");
  return renderPage({
    title: `${provider} sandbox portal`,
    notice,
    body: `${sections || "<section><p>There is no subscription.</p></section>"}
${offersChanges ? "<section><p>You can change your plan here.</p></section>" : ""}
<div class="actions">${linkTo(backUrl, "Back to the site")}</div>`,
  });
}

function renderSubscription(
  { id, price, status, periodEnd, ending }: PortalSubscription,
  offersNow: boolean,
): string {
  const amount = formatMoney(price, "en");
  const isOver = status === "canceled";
  const atPeriodEnd = `<button name="intent" value="cancel_at_period_end">Cancel at the end of the period</button>`;
  const keep = `<button name="intent" value="keep">Keep this plan</button>`;
  const now = !offersNow ? "" : `<button name="intent" value="cancel_now">Cancel now</button>`;
  return `<section>
<h2>${escapeHtml(price.name)}</h2>
<dl>
<dt>Price</dt><dd>${escapeHtml(amount)} every ${price.interval}</dd>
<dt>Status</dt><dd>${escapeHtml(status)}</dd>
<dt>${ending || isOver ? "Ends" : "Renews"}</dt><dd>${formatDate(periodEnd)}</dd>
</dl>
${isOver ? "" : `<form method="post"><input type="hidden" name="subscription" value="${escapeHtml(id)}">${ending ? keep : atPeriodEnd}${now}</form>`}
</section>`;
}
