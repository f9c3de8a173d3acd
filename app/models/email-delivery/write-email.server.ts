import { findPack } from "~/catalog";
import type { Database } from "~/db.server";
import { DEFAULT_LOCALE, isLocale } from "~/i18n/locale";
import { keepAccount } from "~/models/accounts/account-lock.server";
import {
  createLinkToken,
  LINK_MINUTES,
  type LinkPurpose,
} from "~/models/accounts/verification-tokens.server";
import { currentOffers } from "~/models/billing/checkouts/current-offers.server";
import { getBalance } from "~/models/credits/balance.server";
import * as billing from "~/models/email-delivery/contents/billing.server";
import * as limits from "~/models/email-delivery/contents/limits.server";
import * as links from "~/models/email-delivery/contents/links.server";
import * as notices from "~/models/email-delivery/contents/notices.server";
import { type Pen, penFor } from "~/models/email-delivery/contents/pen.server";
import * as topUps from "~/models/email-delivery/contents/top-ups.server";
import {
  findCreditsLeft,
  findKeyName,
  findPaidOrder,
  findPayment,
  findReader,
  findSubscription,
} from "~/models/email-delivery/email-facts.server";
import { type ClaimedEmail, holdClaim } from "~/models/emails/claims.server";
import { EXPIRES_AFTER_HOURS } from "~/models/emails/email-kinds";
import type { EmailContent } from "~/services/emails/email-content";

export type WrittenEmail =
  | { status: "written"; content: EmailContent; pen: Pen }
  /** No longer needed: too late, or the facts changed. */
  | { status: "obsolete"; reason: string };

/** Writes a claimed email in its reader's language. Links get their tokens here, anew at each attempt. */
export async function writeEmail(email: ClaimedEmail, db: Database): Promise<WrittenEmail> {
  const hours = EXPIRES_AFTER_HOURS[email.kind];
  if (hours !== undefined && email.ageHours >= hours)
    return { status: "obsolete", reason: "too late" };
  const pen = penFor(isLocale(email.locale) ? email.locale : DEFAULT_LOCALE);
  const content = await writeContent(email, pen, db);
  return typeof content === "string"
    ? { status: "obsolete", reason: content }
    : { status: "written", content, pen };
}

/** Returns the content, or why there is nothing to tell any more. */
async function writeContent(
  email: ClaimedEmail,
  pen: Pen,
  db: Database,
): Promise<EmailContent | string> {
  const at = "at" in email.data ? new Date(email.data.at) : new Date();
  switch (email.kind) {
    case "verify_email":
    case "reset_password":
    case "sign_in_link":
    case "change_email":
    case "confirm_identity":
      return writeLink(email, pen, db);
    case "email_changed":
      return notices.emailChanged(pen, { ...email.data, at });
    case "password_changed":
      return notices.passwordChanged(pen, { at });
    case "password_known":
      return notices.passwordKnown(pen, { at });
    case "sign_up_notice":
      return notices.signUpNotice(pen);
    case "new_device":
      return notices.newDevice(pen, { ...email.data, at });
    case "factor_changed":
      return notices.factorChanged(pen, { ...email.data, at });
    case "account_deleted":
      return notices.accountDeleted(pen, { at });
    case "receipt": {
      if ("orderId" in email.data) {
        const order = await findPaidOrder(email.data.orderId, db);
        return order ? billing.orderReceipt(pen, order) : "no such order";
      }
      const payment = await findPayment(email.data.paymentId, db);
      return payment ? billing.paymentReceipt(pen, payment) : "no such payment";
    }
    case "payment_failed": {
      const subscription = await findSubscription(email.data.subscriptionId, db);
      // A card that worked at the second try needs no email about the first.
      if (subscription?.status !== "past_due") return "the payment has come";
      return billing.paymentFailed(pen, subscription);
    }
    case "subscription_ending": {
      const subscription = await findSubscription(email.data.subscriptionId, db);
      if (!subscription) return "no such subscription";
      const { status, cancelAtPeriodEnd, currentPeriodEnd: endsAt } = subscription;
      const plan = { ...subscription, periodEnd: endsAt, planned: null };
      if (status === "canceled")
        return billing.subscriptionEnding(pen, { plan, endsAt: null, left: null });
      if (!cancelAtPeriodEnd || !endsAt) return "the plan goes on";
      const left = await findCreditsLeft(email.data.subscriptionId, db);
      return billing.subscriptionEnding(pen, { plan, endsAt, left });
    }
    case "credits_expiring":
      if (at <= new Date()) return "too late";
      return billing.creditsExpiring(pen, { ...email.data, at });
    case "top_up_off":
      return topUps.topUpOff(pen, email.data);
    case "top_up_declined":
    case "top_up_action": {
      const pack = findPack(email.data.skuKey);
      if (!pack) return "the pack isn't sold any more";
      return email.kind === "top_up_action"
        ? topUps.topUpAction(pen, pack)
        : topUps.topUpDeclined(pen, pack);
    }
    case "low_balance": {
      const { crossingId, mark } = email.data;
      const where = { id: crossingId };
      const crossing = await db.crossing.findUnique({ where, select: { accountId: true } });
      if (!crossing) return "new credits have come";
      // Runs that came since have cost credits, too.
      const balance = await getBalance(crossing.accountId, db);
      if (balance < mark)
        return limits.lowBalance(pen, { mark, balance, packs: currentOffers()?.packs ?? [] });
      // Nobody is told, so the mark is armed as before.
      await db.crossing.deleteMany({ where });
      return "a run was refunded";
    }
    case "monthly_limit": {
      const { apiKeyId, month: day, ...use } = email.data;
      const month = new Date(day);
      if (isMonthOver(month)) return "the month is over";
      if (apiKeyId === null) return limits.monthlyLimit(pen, { ...use, month, keyName: null });
      const key = await findKeyName(apiKeyId, db);
      return key
        ? limits.monthlyLimit(pen, { ...use, month, keyName: key.name })
        : "the key has ended";
    }
  }
}

/** In UTC, as limits count. */
function isMonthOver(month: Date): boolean {
  const now = new Date();
  return month < new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

type LinkEmail = Extract<ClaimedEmail, { kind: LinkPurpose }>;

const LINK_PAGES = {
  verify_email: "verify-email",
  reset_password: "reset-password",
  sign_in_link: "sign-in-link",
  change_email: "change-email",
  confirm_identity: "account/confirm/link",
} as const satisfies Record<LinkEmail["kind"], string>;

async function writeLink(email: LinkEmail, pen: Pen, db: Database): Promise<EmailContent | string> {
  const { kind, userId, recipient } = email;
  const reader = userId ? await findReader(userId, db) : null;
  if (!userId || !reader) return "no such account";
  // A link opens the account, so it goes to the account's own address only.
  if (kind !== "change_email" && reader.email !== recipient) return "the address has changed";
  if (kind === "verify_email" && reader.emailVerifiedAt) return "the address is verified";
  const newEmail = kind === "change_email" ? email.data.newEmail : null;
  const bound = kind === "confirm_identity" ? { sessionId: email.data.sessionId } : {};
  // Read committed: a link that is voided meanwhile is either not made or found by who voids it.
  const token = await db.$transaction(async (transaction) => {
    await keepAccount(userId, transaction);
    if (!(await holdClaim(email, transaction))) return null;
    return createLinkToken({ userId, purpose: kind, newEmail, ...bound }, transaction);
  });
  if (!token) return "the link is void";
  const redirectTo = "redirectTo" in email.data ? email.data.redirectTo : null;
  const url = pen.page(LINK_PAGES[kind], { token, ...(redirectTo ? { redirectTo } : {}) });
  const link = { url, minutes: LINK_MINUTES[kind] };
  switch (kind) {
    case "verify_email":
      return links.verifyEmail(pen, link);
    case "reset_password":
      return links.resetPassword(pen, link);
    case "sign_in_link":
      return links.signInLink(pen, link);
    case "change_email":
      return links.changeEmail(pen, { ...link, newEmail: email.data.newEmail });
    case "confirm_identity":
      return links.confirmIdentity(pen, link);
  }
}
