import { findPlan } from "~/catalog";
import type { Pen } from "~/models/email-delivery/contents/pen.server";
import type { EmailContent } from "~/services/emails/email-content";
import { formatMoney, type Money } from "~/utils/money";

const planName = ({ t }: Pen, planKey: string): string => {
  const plan = findPlan(planKey);
  return plan ? t(plan.nameKey) : planKey;
};

const createImages = ({ t, page }: Pen) =>
  ({ type: "button", label: t("mail.createButton"), url: page("demo/image-generator") }) as const;

export function orderReceipt(
  pen: Pen,
  order: Money & { id: string; credits: number; paidAt: Date },
): EmailContent {
  const { t, product, locale, page, time } = pen;
  const { id, credits, paidAt } = order;
  return {
    subject: t("mail.receiptSubject", { product }),
    figure: `+${credits.toLocaleString(locale)}`,
    heading: t("mail.orderTitle"),
    blocks: [
      { type: "text", text: t("mail.orderIntro") },
      createImages(pen),
      {
        type: "facts",
        title: t("receipt.title"),
        rows: [
          [t("mail.item"), t("pricing.packCredits", { credits })],
          [t("receipt.amount"), formatMoney(order, locale)],
          [t("mail.paidAt"), time(paidAt)],
          [t("receipt.number"), id],
        ],
      },
      { type: "link", label: t("mail.openReceipt"), url: page(`account/orders/${id}`) },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}

export function paymentReceipt(
  pen: Pen,
  payment: { id: string; planKey: string; startsAt: Date; endsAt: Date; total: Money | null },
): EmailContent {
  const { t, product, locale, page, day } = pen;
  const { id, planKey, startsAt, endsAt, total } = payment;
  const plan = planName(pen, planKey);
  return {
    subject: t("mail.receiptSubject", { product }),
    heading: t("mail.paymentTitle", { plan }),
    blocks: [
      { type: "text", text: t("mail.paymentIntro", { end: day(endsAt) }) },
      { type: "button", label: t("mail.accountButton"), url: page("account") },
      {
        type: "facts",
        title: t("receipt.title"),
        rows: [
          [t("mail.item"), plan],
          ...(total
            ? ([[t("receipt.amount"), formatMoney(total, locale)]] satisfies [string, string][])
            : []),
          [t("mail.from"), day(startsAt)],
          [t("mail.until"), day(endsAt)],
        ],
      },
      { type: "link", label: t("mail.openReceipt"), url: page(`account/payments/${id}`) },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}

export function paymentFailed(pen: Pen, { planKey }: { planKey: string }): EmailContent {
  const { t, product, page } = pen;
  return {
    subject: t("mail.paymentFailedSubject", { product }),
    heading: t("mail.paymentFailedTitle"),
    blocks: [
      { type: "text", text: t("mail.paymentFailedIntro", { plan: planName(pen, planKey) }) },
      { type: "text", text: t("mail.paymentFailedNext") },
      { type: "button", label: t("mail.paymentFailedButton"), url: page("account/billing") },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}

/** `endsAt` is null once the plan is over. */
export function subscriptionEnding(
  pen: Pen,
  { planKey, endsAt }: { planKey: string; endsAt: Date | null },
): EmailContent {
  const { t, product, page, day } = pen;
  const plan = planName(pen, planKey);
  const date = endsAt ? day(endsAt) : "";
  return {
    subject: endsAt
      ? t("mail.endingSubject", { product, date })
      : t("mail.endedSubject", { product }),
    heading: endsAt ? t("mail.endingTitle", { plan, date }) : t("mail.endedTitle", { plan }),
    blocks: [
      { type: "text", text: endsAt ? t("mail.endingIntro", { date }) : t("mail.endedIntro") },
      { type: "text", text: t("mail.endingNote") },
      endsAt
        ? { type: "button", label: t("mail.endingButton"), url: page("account/billing") }
        : { type: "button", label: t("mail.endedButton"), url: page("pricing") },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}

export function creditsExpiring(
  pen: Pen,
  { amount, at }: { amount: number; at: Date },
): EmailContent {
  const { t, product, page, day, time } = pen;
  return {
    subject: t("mail.expiringSubject", { amount, product, date: day(at) }),
    heading: t("mail.expiringTitle", { amount, date: day(at) }),
    blocks: [
      { type: "text", text: t("mail.expiringIntro", { at: time(at) }) },
      createImages(pen),
      { type: "link", label: t("mail.expiringLink"), url: page("account/credits") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}
