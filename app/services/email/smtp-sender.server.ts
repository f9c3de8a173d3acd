import nodemailer from "nodemailer";
import { type Env, getEnv, isLocalHost } from "~/env.server";
import type { EmailSender } from "~/services/email/email-sender.server";

type EmailSettings = NonNullable<Env["email"]>;

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

let sender: EmailSender | undefined;

/** The configured mail server, or null while e-mail is off. One a process. */
export function getEmailSender(): EmailSender | null {
  const { email } = getEnv();
  if (!email) return null;
  sender ??= createSmtpSender(email);
  return sender;
}

/** An EmailSender over SMTP. Each mail has a connection of its own: there are few, and none waits. */
function createSmtpSender({ smtpUrl, from }: EmailSettings): EmailSender {
  const { username, hostname } = new URL(smtpUrl);
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    ...TIMEOUTS,
    // A password never crosses the network in the clear, whatever the server offers.
    requireTLS: username !== "" && !isLocalHost(hostname),
    // A mail is made of texts alone: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      // As an object the recipient is one address; as text it could be a list of them.
      const recipient = { name: "", address: to };
      await transport
        .sendMail({
          from,
          to: recipient,
          subject,
          text,
          textEncoding: "quoted-printable",
          headers: { "Auto-Submitted": "auto-generated" },
        })
        .catch((error: unknown) => {
          throw new Error(`the mail was not taken: ${describeFailure(error)}`);
        });
    },
  };
}

/** Codes alone: the library's errors, and the replies of mail servers, name the recipient. */
function describeFailure(error: unknown): string {
  const facts = (error ?? {}) as Record<string, unknown>;
  return ["code", "responseCode", "command"]
    .flatMap((name) => (facts[name] === undefined ? [] : [`${name} ${facts[name]}`]))
    .join(", ");
}
