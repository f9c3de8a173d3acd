import { ACTIONS, findPlan } from "~/catalog";
import { mainAction } from "~/models/actions/registry.server";
import { type PlanState, planSentence } from "~/models/billing/subscriptions/plan-sentence";
import type { Pen } from "~/models/email-delivery/contents/pen.server";
import type { EmailContent } from "~/services/emails/email-content";
import { formatMoney, type Money } from "~/utils/money";
import { orderNumber } from "~/utils/order-number";

const planName = ({ t }: Pen, planKey: string): string => {
  const plan = findPlan(planKey);
  return plan ? t(plan.nameKey) : planKey;
};

/** The way to spend the credits: the main action's page, or the account where none is on. */
function spendButton({ t, page }: Pen) {
  const action = mainAction();
  return {
    type: "button",
    label: action ? t(ACTIONS[action].startKey) : t("mail.accountButton"),
    url: page(action ? ACTIONS[action].page.slice(1) : "account"),
  } as const;
}

export function orderReceipt(
  pen: Pen,
  order: Money & { id: string; credits: number; paidAt: Date },
): EmailContent {
  const { t, product, locale, page, time } = pen;
  const { id, credits, paidAt } = order;
  return {
    subject: t("mail.receiptSubject", {
      amount: formatMoney(order, locale),
      item: t("pricing.packCredits", { credits }),
    }),
    figure: `+${credits.toLocaleString(locale)}`,
    heading: t("mail.orderTitle"),
    blocks: [
      { type: "text", text: t("mail.orderIntro") },
      spendButton(pen),
      {
        type: "facts",
        title: t("receipt.title"),
        rows: [
          [t("mail.item"), t("pricing.packCredits", { credits })],
          [t("receipt.amount"), formatMoney(order, locale)],
          [t("mail.paidAt"), time(paidAt)],
          [t("receipt.number"), orderNumber(id)],
        ],
      },
      { type: "link", label: t("mail.openReceipt"), url: page(`account/orders/${id}`) },
    ],
    reason: t("mail.reasonBought", { product }),
  };
}

/** A payment for a plan. */
interface PaidPeriod {
  id: string;
  kind: "trial" | "paid" | "upgrade";
  planKey: string;
  startsAt: Date;
  endsAt: Date;
  total: Money | null;
  /** The credits on top that an upgrade has brought; null if it has brought none yet. */
  added: number | null;
}

const paidText = ({ t, day }: Pen, { endsAt }: PaidPeriod) =>
  t("mail.paymentIntro", { end: day(endsAt) });

function upgradeText({ t, day }: Pen, { startsAt, endsAt, added }: PaidPeriod): string {
  const span = t("mail.upgradeSpan", { from: day(startsAt), until: day(endsAt) });
  return added === null ? span : `${t("mail.upgradeCredits", { count: added })} ${span}`;
}

export function paymentReceipt(pen: Pen, payment: PaidPeriod): EmailContent {
  const { t, product, locale, page, day } = pen;
  const { id, planKey, startsAt, endsAt, total, kind } = payment;
  const plan = planName(pen, planKey);
  const isUpgrade = kind === "upgrade";
  return {
    subject: total
      ? t("mail.receiptSubject", { amount: formatMoney(total, locale), item: plan })
      : t("mail.receiptSubjectOpen", { item: plan }),
    heading: t(isUpgrade ? "mail.upgradeTitle" : "mail.paymentTitle", { plan }),
    blocks: [
      { type: "text", text: isUpgrade ? upgradeText(pen, payment) : paidText(pen, payment) },
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

/** `endsAt` is null once the plan is over. `left`: the plan's credits that can still be used. */
export function subscriptionEnding(
  pen: Pen,
  {
    plan: state,
    endsAt,
    left,
  }: { plan: PlanState; endsAt: Date | null; left: { credits: number; until: Date } | null },
): EmailContent {
  const { planKey } = state;
  const { t, product, page, day } = pen;
  const plan = planName(pen, planKey);
  const date = endsAt ? day(endsAt) : "";
  return {
    subject: endsAt
      ? t("mail.endingSubject", { product, date })
      : t("mail.endedSubject", { product }),
    heading: endsAt ? t("mail.endingTitle", { plan, date }) : t("mail.endedTitle", { plan }),
    blocks: [
      { type: "text", text: endsAt ? planSentence(state, pen) : t("mail.endedIntro") },
      {
        type: "text",
        text: left
          ? t("mail.endingCredits", { count: left.credits, date: day(left.until) })
          : t("mail.endingNote"),
      },
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
      spendButton(pen),
      { type: "link", label: t("mail.expiringLink"), url: page("account/credits") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}
