import { CURRENCY, PACKS, PLANS } from "~/catalog";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import * as billing from "~/models/email-delivery/contents/billing.server";
import * as limits from "~/models/email-delivery/contents/limits.server";
import * as links from "~/models/email-delivery/contents/links.server";
import * as notices from "~/models/email-delivery/contents/notices.server";
import { frameFor, type Pen, penFor } from "~/models/email-delivery/contents/pen.server";
import * as topUps from "~/models/email-delivery/contents/top-ups.server";
import { type EmailKind, isOptionalEmail } from "~/models/emails/email-kinds";
import type { EmailContent } from "~/services/emails/email-content";
import type { Email } from "~/services/emails/email-sender.server";
import { renderHtml } from "~/services/emails/render-html.server";
import { renderText } from "~/services/emails/render-text";

const USER_AGENT =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";

/** The kind; a kind that has two forms has a second sample, named after a dash. */
type SampleName =
  | EmailKind
  | "factor_changed-key"
  | "monthly_limit-key"
  | "receipt-plan"
  | "receipt-upgrade"
  | "subscription_ending-over"
  | "top_up_off-price";

export interface SampleEmail extends Pick<Email, "subject" | "html" | "text"> {
  name: string;
}

/** Writes every kind of email with invented facts, to look at in development. Sends nothing. */
export function sampleEmails(locale: Locale): SampleEmail[] {
  const pen = penFor(locale);
  const turnOffUrl = new URL("/unsubscribe?token=sample", getEnv().siteUrl).href;
  return Object.entries(sampleContents(pen)).map(([name, content]) => {
    const [kind = name] = name.split("-");
    const frame = frameFor(pen, isOptionalEmail(kind) ? turnOffUrl : null);
    return {
      name,
      subject: content.subject,
      html: renderHtml(content, frame),
      text: renderText(content, frame),
    };
  });
}

function sampleContents(pen: Pen): Record<SampleName, EmailContent> {
  const [[pack], [plan]] = [PACKS, PLANS];
  const at = new Date("2026-03-09T10:24:00Z");
  const later = new Date("2026-04-09T10:24:00Z");
  const id = "0198c1f2-7c0e-7a51-9d35-3f0c2b9d4e61";
  const link = (path: string, minutes: number) => ({
    url: pen.page(path, { token: "A".repeat(43) }),
    minutes,
  });
  const changed = { at, change: "passkey_added", name: "Ana’s phone" } as const;
  const made = { at, change: "api_key_made", name: "Deploy script" } as const;
  const paid = { id, planKey: plan.planKey, startsAt: at, endsAt: later };
  const use = { limit: 1000, month: new Date("2026-03-01") };
  const ending = {
    planKey: plan.planKey,
    period: "month",
    status: "active",
    cancelAtPeriodEnd: true,
    periodEnd: later,
    endedAt: null,
    planned: null,
  } as const;
  return {
    verify_email: links.verifyEmail(pen, link("verify-email", 1440)),
    reset_password: links.resetPassword(pen, link("reset-password", 60)),
    sign_in_link: links.signInLink(pen, link("sign-in-link", 10)),
    change_email: links.changeEmail(pen, {
      ...link("change-email", 60),
      newEmail: "ana.new@example.com",
    }),
    confirm_identity: links.confirmIdentity(pen, link("account/confirm/link", 10)),
    email_changed: notices.emailChanged(pen, { at, newEmail: "ana.new@example.com" }),
    password_changed: notices.passwordChanged(pen, { at }),
    password_known: notices.passwordKnown(pen, { at }),
    sign_up_notice: notices.signUpNotice(pen),
    new_device: notices.newDevice(pen, { at, userAgent: USER_AGENT }),
    factor_changed: notices.factorChanged(pen, changed),
    "factor_changed-key": notices.factorChanged(pen, made),
    account_deleted: notices.accountDeleted(pen, { at }),
    receipt: billing.orderReceipt(pen, {
      id,
      credits: pack.credits,
      amount: pack.amount,
      currency: CURRENCY,
      paidAt: at,
    }),
    "receipt-plan": billing.paymentReceipt(pen, {
      ...paid,
      kind: "paid",
      added: null,
      total: { amount: plan.amounts.month, currency: CURRENCY },
    }),
    payment_failed: billing.paymentFailed(pen, paid),
    "receipt-upgrade": billing.paymentReceipt(pen, {
      ...paid,
      kind: "upgrade",
      added: plan.creditsPerMonth,
      total: { amount: plan.amounts.month, currency: CURRENCY },
    }),
    subscription_ending: billing.subscriptionEnding(pen, {
      plan: ending,
      endsAt: later,
      left: { credits: plan.creditsPerMonth, until: later },
    }),
    "subscription_ending-over": billing.subscriptionEnding(pen, {
      plan: { ...ending, status: "canceled" },
      endsAt: null,
      left: null,
    }),
    credits_expiring: billing.creditsExpiring(pen, { amount: 120, at: later }),
    top_up_off: topUps.topUpOff(pen, { reason: "declined" }),
    "top_up_off-price": topUps.topUpOff(pen, { reason: "price" }),
    top_up_declined: topUps.topUpDeclined(pen, pack),
    top_up_action: topUps.topUpAction(pen, pack),
    low_balance: limits.lowBalance(pen, { balance: 14, mark: 50, packs: PACKS }),
    monthly_limit: limits.monthlyLimit(pen, { ...use, keyName: null, percent: 80, used: 812 }),
    "monthly_limit-key": limits.monthlyLimit(pen, {
      ...use,
      keyName: "Deploy script",
      percent: 100,
      used: 1000,
    }),
  };
}
