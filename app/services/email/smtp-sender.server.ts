import nodemailer from "nodemailer";
import { type Env, getEnv, isLocalHost } from "~/env.server";
import type { EmailSender } from "~/services/email/email-sender.server";

type EmailSettings = NonNullable<Env["email"]>;

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Few connections: mail servers refuse, or suspend, a sender that opens one for each mail. */
const POOL = {
  pool: true,
  maxConnections: 3,
  maxMessages: 100,
  // Mails come one by one or in bursts; between them no connection is worth keeping.
  idleTimeout: 30_000,
} as const;

const TLS_OPTIONS = ["requireTLS", "ignoreTLS", "opportunisticTLS"];

let sender: (EmailSender & { close(): void }) | undefined;

/** The configured mail server, or null while e-mail is off. One per process. */
export function getEmailSender(): EmailSender | null {
  const { email } = getEnv();
  if (!email) return null;
  sender ??= createSmtpSender(email);
  return sender;
}

/** Closes the connections to the mail server; the next mail opens new ones. */
export function closeEmailSender(): void {
  sender?.close();
  sender = undefined;
}

/** An EmailSender over SMTP, on three connections at most. */
function createSmtpSender({ smtpUrl, from }: EmailSettings): EmailSender & { close(): void } {
  const url = new URL(smtpUrl);
  // The library lets what the URL's query says overrule what is said here.
  for (const option of [...Object.keys(POOL), ...TLS_OPTIONS]) url.searchParams.delete(option);
  const transport = nodemailer.createTransport({
    ...POOL,
    url: url.href,
    ...TIMEOUTS,
    // Mails carry links that open accounts: none crosses a network in the clear, even where the
    // server offers nothing else. Without this a server, or whoever sits before it, could decline TLS.
    requireTLS: !isLocalHost(url.hostname),
    // A mail is made of texts alone: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    close: () => transport.close(),
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
