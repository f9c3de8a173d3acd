import { CURRENCY, type Pack } from "~/catalog";
import type { TopUpOff } from "~/generated/prisma/enums";
import type { Pen } from "~/models/email-delivery/contents/pen.server";
import type { EmailContent } from "~/services/emails/email-content";
import { formatMoney } from "~/utils/money";

/** Top-up was turned off, for a reason that isn't its owner's. */
export function topUpOff(
  { t, product, page }: Pen,
  { reason }: { reason: Exclude<TopUpOff, "owner"> },
): EmailContent {
  const reasons = {
    declined: t("mail.topUpDeclined"),
    price: t("mail.topUpPrice"),
    not_sold: t("mail.topUpNotSold"),
    dispute: t("mail.topUpDispute"),
    disabled: t("mail.topUpDisabled"),
    card_removed: t("mail.topUpCardRemoved"),
  };
  return {
    subject: t("mail.topUpOffSubject", { product }),
    heading: t("mail.topUpOffTitle"),
    blocks: [
      { type: "text", text: reasons[reason] },
      { type: "text", text: t("mail.topUpOffNext") },
      { type: "button", label: t("mail.topUpOffButton"), url: page("account/billing/top-up") },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}

/** The card was declined: leads to an ordinary checkout of the pack, and to the page where another card can be added. */
export const topUpDeclined = (pen: Pen, pack: Pack): EmailContent =>
  notBought(pen, pack, {
    subject: pen.t("mail.topUpDeclinedSubject", { product: pen.product }),
    heading: pen.t("mail.topUpDeclinedTitle"),
    intro: (sale) => pen.t("mail.topUpDeclinedIntro", sale),
    next: pen.t("mail.topUpDeclinedNext"),
  });

/** The bank wanted the owner: leads to an ordinary checkout of the pack. */
export const topUpAction = (pen: Pen, pack: Pack): EmailContent =>
  notBought(pen, pack, {
    subject: pen.t("mail.topUpActionSubject", { product: pen.product }),
    heading: pen.t("mail.topUpActionTitle"),
    intro: (sale) => pen.t("mail.topUpActionIntro", sale),
    next: pen.t("mail.topUpActionNext"),
  });

interface NotBought {
  subject: string;
  heading: string;
  intro: (sale: { item: string; price: string }) => string;
  next: string;
}

/** Nothing was bought: says why, and leads to where the owner can buy it. */
function notBought(
  { t, product, locale, page }: Pen,
  { skuKey, credits, amount }: Pack,
  { subject, heading, intro, next }: NotBought,
): EmailContent {
  const item = t("pricing.packCredits", { credits });
  const price = formatMoney({ amount, currency: CURRENCY }, locale);
  return {
    ...{ subject, heading },
    blocks: [
      { type: "text", text: intro({ item, price }) },
      { type: "text", text: next },
      {
        type: "button",
        label: t("mail.topUpActionButton", { item }),
        url: page("checkout/start", { intent: "pack", skuKey }),
      },
      { type: "link", label: t("mail.topUpOffButton"), url: page("account/billing/top-up") },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}
