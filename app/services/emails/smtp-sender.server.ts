import nodemailer from "nodemailer";
import { type Env, getEnv, isLocalHost } from "~/env.server";
import {
  EmailFailure,
  type EmailSender,
  type FailureKind,
} from "~/services/emails/email-sender.server";

type EmailSettings = NonNullable<Env["email"]>;

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Few connections: mail servers refuse or suspend a sender that opens one per email. */
const POOL = {
  pool: true,
  maxConnections: 3,
  maxMessages: 100,
  // Emails come singly or in bursts; a connection between them is not worth keeping.
  idleTimeout: 30_000,
} as const;

const TLS_OPTIONS = ["requireTLS", "ignoreTLS", "opportunisticTLS"];

let sender: (EmailSender & { close(): void }) | undefined;

/** The configured mail server, or null while email is off. One per process. */
export function getEmailSender(): EmailSender | null {
  const { email } = getEnv();
  if (!email) return null;
  sender ??= createSmtpSender(email);
  return sender;
}

/** Closes the connections to the mail server; the next email opens new ones. */
export function closeEmailSender(): void {
  sender?.close();
  sender = undefined;
}

/** An EmailSender over SMTP, with at most three connections. */
function createSmtpSender({ smtpUrl, from }: EmailSettings): EmailSender & { close(): void } {
  const url = new URL(smtpUrl);
  // In the library, options in the URL's query override the options set here.
  for (const option of [...Object.keys(POOL), ...TLS_OPTIONS]) url.searchParams.delete(option);
  const transport = nodemailer.createTransport({
    ...POOL,
    url: url.href,
    ...TIMEOUTS,
    // Emails carry links that open accounts, so none crosses a network unencrypted, even if the server
    // offers nothing else. Without this setting a server, or an attacker in between, could decline
    // TLS.
    requireTLS: !isLocalHost(url.hostname),
    // Emails contain only text and HTML: nothing in them may name a file or URL to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    close: () => transport.close(),
    async send({ to, subject, text, html, messageId, unsubscribeUrl }) {
      // As an object the recipient is one address; as text it could be a list of addresses.
      const recipient = { name: "", address: to };
      await transport
        .sendMail({
          from,
          to: recipient,
          subject,
          text,
          html,
          textEncoding: "quoted-printable",
          messageId,
          headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(unsubscribeUrl) },
        })
        .catch((error: unknown) => {
          throw new EmailFailure(kindOf(error), describeFailure(error));
        });
    },
  };
}

/** Mail programs show a button for these headers, and their servers send its POST (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (url === null) return {};
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/**
 * Only a refusal of the recipient or of the content concerns one email. A refused sender, sign-in or
 * connection concerns all.
 */
function kindOf(error: unknown): FailureKind {
  const { code, responseCode, command } = (error ?? {}) as Record<string, unknown>;
  const isOfOneEmail = code === "EENVELOPE" || code === "EMESSAGE";
  if (!isOfOneEmail || command === "MAIL FROM") return "unreachable";
  return typeof responseCode === "number" && responseCode >= 500 ? "refused" : "deferred";
}

/** Returns codes only: the library's errors and mail servers' replies contain the recipient. */
function describeFailure(error: unknown): string {
  const facts = (error ?? {}) as Record<string, unknown>;
  return ["code", "responseCode", "command"]
    .flatMap((name) => (facts[name] === undefined ? [] : [`${name} ${facts[name]}`]))
    .join(", ");
}
