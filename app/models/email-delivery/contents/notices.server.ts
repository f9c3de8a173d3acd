import type { Pen } from "~/models/email-delivery/contents/pen.server";
import type { FactorChange } from "~/models/emails/email-kinds";
import type { EmailContent } from "~/services/emails/email-content";
import { describeUserAgent } from "~/utils/describe-user-agent.server";

interface At {
  at: Date;
}

export function passwordChanged({ t, product, page, time }: Pen, { at }: At): EmailContent {
  return {
    subject: t("mail.passwordChangedSubject", { product }),
    heading: t("mail.passwordChangedTitle"),
    blocks: [
      { type: "text", text: t("mail.passwordChangedIntro", { product, at: time(at) }) },
      { type: "text", text: t("mail.passwordChangedNote") },
      { type: "button", label: t("mail.resetButton"), url: page("forgot-password") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

export function passwordKnown({ t, product, page, time }: Pen, { at }: At): EmailContent {
  return {
    subject: t("mail.passwordKnownSubject", { product }),
    heading: t("mail.passwordKnownTitle"),
    blocks: [
      { type: "text", text: t("mail.passwordKnownIntro", { product, at: time(at) }) },
      { type: "text", text: t("mail.passwordKnownNote") },
      { type: "button", label: t("mail.resetButton"), url: page("forgot-password") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

/** To the old address. The new one is shown in part: this mailbox may no longer be the person's own. */
export function emailChanged(
  { t, product, time }: Pen,
  { at, newEmail }: At & { newEmail: string },
): EmailContent {
  const masked = newEmail.replace(/^(.)[^@]*/u, "$1…");
  return {
    subject: t("mail.emailChangedSubject", { product }),
    heading: t("mail.emailChangedTitle"),
    blocks: [
      {
        type: "text",
        text: t("mail.emailChangedIntro", { product, newEmail: masked, at: time(at) }),
      },
      { type: "text", text: t("mail.emailChangedNote") },
    ],
    reason: t("mail.reasonDeleted", { product }),
  };
}

export function signUpNotice({ t, product, page }: Pen): EmailContent {
  return {
    subject: t("mail.signUpNoticeSubject", { product }),
    heading: t("mail.signUpNoticeTitle"),
    blocks: [
      { type: "text", text: t("mail.signUpNoticeIntro", { product }) },
      { type: "button", label: t("nav.signIn"), url: page("sign-in") },
      { type: "link", label: t("mail.signUpNoticeReset"), url: page("forgot-password") },
      { type: "text", text: t("mail.signUpNoticeNote") },
    ],
    reason: t("mail.reasonTyped", { product }),
  };
}

export function newDevice(
  { t, product, page, time }: Pen,
  { at, userAgent }: At & { userAgent: string | null },
): EmailContent {
  const { browser, system } = describeUserAgent(userAgent);
  const device =
    browser && system ? t("security.browserOn", { browser, system }) : (browser ?? system);
  return {
    subject: t("mail.newDeviceSubject", { product }),
    heading: t("mail.newDeviceTitle"),
    blocks: [
      { type: "text", text: t("mail.newDeviceIntro", { product }) },
      {
        type: "facts",
        rows: [
          [t("mail.when"), time(at)],
          [t("mail.device"), device || t("mail.unknownDevice")],
        ],
      },
      { type: "text", text: t("mail.newDeviceNote") },
      { type: "button", label: t("mail.securityButton"), url: page("account/security") },
      { type: "link", label: t("mail.resetButton"), url: page("forgot-password") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

export function factorChanged(
  { t, product, page, time }: Pen,
  { at, change, name }: At & { change: FactorChange; name: string | null },
): EmailContent {
  const headings: Record<FactorChange, string> = {
    totp_added: t("mail.totpAdded"),
    totp_removed: t("mail.totpRemoved"),
    recovery_codes_made: t("mail.recoveryCodesMade"),
    recovery_code_used: t("mail.recoveryCodeUsed"),
    passkey_added: t("mail.passkeyAdded"),
    passkey_removed: t("mail.passkeyRemoved"),
    provider_linked: t("mail.providerLinked"),
    provider_unlinked: t("mail.providerUnlinked"),
    password_set: t("mail.passwordSet"),
    api_key_made: t("mail.apiKeyMade"),
  };
  const { intro, note, label, path } =
    change === "api_key_made"
      ? {
          intro: t("mail.apiKeyIntro", { product }),
          note: t("mail.apiKeyNote"),
          label: t("mail.apiKeysButton"),
          path: "account/api-keys",
        }
      : {
          intro: t("mail.factorIntro", { product }),
          note: t("mail.factorNote"),
          label: t("mail.securityButton"),
          path: "account/security",
        };
  return {
    subject: t("mail.factorSubject", { product, change: headings[change] }),
    heading: headings[change],
    blocks: [
      { type: "text", text: intro },
      {
        type: "facts",
        rows: [
          [t("mail.when"), time(at)],
          ...(name ? ([[t("mail.name"), name]] satisfies [string, string][]) : []),
        ],
      },
      { type: "text", text: note },
      { type: "button", label, url: page(path) },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

export function accountDeleted({ t, product, time }: Pen, { at }: At): EmailContent {
  return {
    subject: t("mail.accountDeletedSubject", { product }),
    heading: t("mail.accountDeletedTitle"),
    blocks: [
      { type: "text", text: t("mail.accountDeletedIntro", { product, at: time(at) }) },
      { type: "text", text: t("mail.accountDeletedKept") },
      { type: "text", text: t("mail.accountDeletedNote") },
    ],
    reason: t("mail.reasonDeleted", { product }),
  };
}
