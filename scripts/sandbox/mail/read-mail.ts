import PostalMime from "postal-mime";

export interface ReadMail {
  to: string;
  subject: string;
  text: string;
}

/** Reads the first recipient, the subject and the plain text of an email. */
export async function readMail(raw: string): Promise<ReadMail> {
  const { to = [], subject = "", text = "" } = await PostalMime.parse(raw);
  return { to: to[0]?.address ?? "", subject, text };
}
