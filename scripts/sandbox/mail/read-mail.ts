import PostalMime from "postal-mime";

export interface ReadMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** The address of `List-Unsubscribe`; null without one. */
  unsubscribeUrl: string | null;
}

/** Reads the first recipient, the subject and both forms of an email's text. */
export async function readMail(raw: string): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw);
  const { to = [], subject = "", text = "", html = "", messageId = "", headers } = mail;
  const unsubscribe = headers.find(({ key }) => key === "list-unsubscribe")?.value;
  return {
    to: to[0]?.address ?? "",
    subject,
    text,
    html,
    messageId,
    unsubscribeUrl: unsubscribe?.replace(/^<|>$/g, "") ?? null,
  };
}
