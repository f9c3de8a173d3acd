import nodemailer from "nodemailer";
import { type Env, isLocalHost } from "~/env.server";
import { describeError } from "~/utils/describe-error";
import { type Check, fault, found, pass, skip } from "../check";

const ID = "online.email";
const TIMEOUT_MS = 10_000;

/** Greets the mail server and signs in, over TLS as the service does. Sends no mail. */
export async function askMailServer(email: Env["email"]): Promise<Check> {
  if (!email) return skip(ID, "email is off");
  const transport = nodemailer.createTransport({
    url: email.smtpUrl,
    requireTLS: !isLocalHost(new URL(email.smtpUrl).hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return pass(ID, "the mail server takes the connection and the credentials");
  } catch (error) {
    const isRefused = (error as { code?: string }).code === "EAUTH";
    const finding = isRefused
      ? fault("the mail server refuses the user or password", "correct them in SMTP_URL")
      : fault(
          `the mail server cannot be used: ${describeError(error)}`,
          "check the host and port in SMTP_URL, that the server offers TLS, and that this machine may reach it",
        );
    return found(ID, [finding]);
  } finally {
    transport.close();
  }
}
