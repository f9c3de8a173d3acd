import type { Pen } from "~/models/email-delivery/contents/pen.server";
import type { EmailContent } from "~/services/emails/email-content";

/** A link with a token, and how long it works. */
export interface SecretLink {
  url: string;
  minutes: number;
}

export function verifyEmail({ t, product }: Pen, { url, minutes }: SecretLink): EmailContent {
  return {
    subject: t("mail.verifySubject", { product }),
    heading: t("mail.verifyTitle"),
    blocks: [
      { type: "text", text: t("mail.verifyIntro", { product, hours: minutes / 60 }) },
      { type: "button", label: t("mail.verifyButton"), url },
      { type: "text", text: t("mail.verifyNote") },
    ],
    reason: t("mail.reasonTyped", { product }),
  };
}

export function resetPassword({ t, product }: Pen, { url, minutes }: SecretLink): EmailContent {
  return {
    subject: t("mail.resetSubject", { product }),
    heading: t("mail.resetTitle"),
    blocks: [
      { type: "text", text: t("mail.resetIntro", { product, hours: minutes / 60 }) },
      { type: "button", label: t("mail.resetButton"), url },
      { type: "text", text: t("mail.resetNote") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

export function signInLink({ t, product }: Pen, { url, minutes }: SecretLink): EmailContent {
  return {
    subject: t("mail.signInLinkSubject", { product }),
    heading: t("mail.signInLinkTitle", { product }),
    blocks: [
      { type: "text", text: t("mail.signInLinkIntro", { product, minutes }) },
      { type: "button", label: t("mail.signInLinkButton"), url },
      { type: "text", text: t("mail.signInLinkNote") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

export function changeEmail(
  { t, product }: Pen,
  { url, minutes, newEmail }: SecretLink & { newEmail: string },
): EmailContent {
  return {
    subject: t("mail.changeEmailSubject", { product }),
    heading: t("mail.changeEmailTitle"),
    blocks: [
      {
        type: "text",
        text: t("mail.changeEmailIntro", { product, newEmail, hours: minutes / 60 }),
      },
      { type: "button", label: t("mail.changeEmailButton"), url },
      { type: "text", text: t("mail.changeEmailNote") },
    ],
    reason: t("mail.reasonTyped", { product }),
  };
}

export function confirmIdentity({ t, product }: Pen, { url, minutes }: SecretLink): EmailContent {
  return {
    subject: t("mail.confirmSubject", { product }),
    heading: t("mail.confirmTitle"),
    blocks: [
      { type: "text", text: t("mail.confirmIntro", { product, minutes }) },
      { type: "button", label: t("mail.confirmButton"), url },
      { type: "text", text: t("mail.confirmNote") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}
