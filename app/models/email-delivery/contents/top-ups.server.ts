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

/** The bank wanted the owner, so that nothing was bought: leads to an ordinary checkout of the pack. */
export function topUpAction(
  { t, product, locale, page }: Pen,
  { skuKey, credits, amount }: Pack,
): EmailContent {
  const item = t("pricing.packCredits", { credits });
  const price = formatMoney({ amount, currency: CURRENCY }, locale);
  return {
    subject: t("mail.topUpActionSubject", { product }),
    heading: t("mail.topUpActionTitle"),
    blocks: [
      { type: "text", text: t("mail.topUpActionIntro", { item, price }) },
      { type: "text", text: t("mail.topUpActionNext") },
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
