import { afterAll, expect } from "vitest";
import { type MailSandbox, startMailSandbox } from "../../scripts/sandbox/mail/mail-sandbox";
import type { ReadMail } from "../../scripts/sandbox/mail/read-mail";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

interface MailServerUnderTest extends ServerUnderTest {
  /** The variables with which the server sends email; for further servers. */
  mailEnv: Record<string, string>;
  /** All emails sent to this address so far, oldest first. */
  mailsTo(email: string): ReadMail[];
  /**
   * Waits for the address's email number `nth`, from 1, and returns the path and query of its link. Of
   * the emails that lead to `page`, if one is given: `verify-email`.
   */
  linkTo(email: string, nth: number, page?: string): Promise<string>;
  /** The highest number of connections to the mail server that were open at one time. */
  mostMailConnections(): number;
}

/** Starts a server with its own mail server, which passes the emails to the tests. */
export function withMailServer(
  env: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): MailServerUnderTest {
  let sandbox: MailSandbox;
  const mails: ReadMail[] = [];
  const context = withTestServer(async () => {
    sandbox = await startMailSandbox({ port: 0, onMail: (mail) => mails.push(mail) });
    Object.assign(context, { mailEnv: sandbox.env });
    return { ...sandbox.env, ...(typeof env === "function" ? await env() : env) };
  }) as MailServerUnderTest;
  const mailsTo = (email: string) => mails.filter(({ to }) => to === email);
  const linkTo = async (email: string, nth: number, page = "") => {
    const links = () =>
      mailsTo(email)
        .map(({ text }) => text.match(/https?:\/\/\S+/)?.[0] ?? "")
        .filter((link) => link.includes(page));
    await expect.poll(() => links().length).toBeGreaterThanOrEqual(nth);
    const link = links()[nth - 1] ?? "";
    expect(new URL(link).origin).toBe(context.url);
    return new URL(link).pathname + new URL(link).search;
  };
  Object.assign(context, {
    mailsTo,
    linkTo,
    mostMailConnections: () => sandbox.mostConnections(),
  });
  afterAll(() => sandbox.stop());
  return context;
}
