import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../helpers/client";
import { startTestServer } from "../helpers/test-server";
import { withMailServer } from "../helpers/with-mail-server";

// Everybody has an address of their own: one network may have 300 requests at once.
const app = withMailServer({ TRUST_PROXY: "1" });
/** Does no background work, so that another server on its database gets the jobs. */
const quiet = withMailServer({ WORKER: "off" });

const PEOPLE = 400;
const emailOf = (n: number) => `reader-${n}@example.com`;

const addUsers = ({ sql } = app) =>
  sql(
    `INSERT INTO users (email) SELECT 'reader-' || n || '@example.com'
     FROM generate_series(1, $1) AS n ON CONFLICT DO NOTHING`,
    [PEOPLE],
  );

/** Asks until it is taken: a slow server is busy with some of 400 at once. */
async function ask(url: string, email: string): Promise<Response> {
  const response = await createClient(url).post("/en/forgot-password", { email });
  if (response.status !== 503) return response;
  await pause(1_000);
  return ask(url, email);
}

test("400 mails asked for at once are sent over three connections at most", async () => {
  await addUsers();
  const emails = Array.from({ length: PEOPLE }, (_, n) => emailOf(n + 1));
  const responses = await Promise.all(emails.map((email) => ask(app.url, email)));
  expect(responses.map(({ status }) => status)).toEqual(Array(PEOPLE).fill(303));
  await expect
    .poll(() => emails.filter((email) => app.mailsTo(email).length === 1).length, {
      timeout: 60_000,
    })
    .toBe(PEOPLE);
  expect(app.mostMailConnections()).toBeLessThanOrEqual(3);
  expect(app.mostMailConnections()).toBeGreaterThan(0);
});

test("a server with idle mail connections stops at once, and the next one sends the requested emails", async () => {
  await addUsers();
  const env = { DATABASE_URL: app.databaseUrl, ...app.mailEnv };
  const server = await startTestServer(env);
  const before = app.mailsTo(emailOf(1)).length;
  expect((await ask(server.url, emailOf(1))).status).toBe(303);
  const exit = once(server.process, "exit");
  server.process.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(server.logs.filter(({ msg }) => String(msg).startsWith("stopped before"))).toEqual([]);
  const next = await startTestServer(env);
  onTestFinished(() => next.stop());
  await expect.poll(() => app.mailsTo(emailOf(1)).length).toBe(before + 1);
});

/** Starts a mail server without TLS that accepts everything, reached by a name that isn't local. */
async function startPlainMailServer() {
  const said: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    authOptional: true,
    closeTimeout: 200,
    onMailFrom: ({ address }, _session, done) => {
      said.push(address);
      done();
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { said, port: (server.server.address() as AddressInfo).port };
}

test.each(["", "?requireTLS=false", "?ignoreTLS=true", "?opportunisticTLS=true"])(
  "a mail server on another host that offers no TLS gets no mail, user name or not (%s)",
  async (query) => {
    await addUsers(quiet);
    const plain = await startPlainMailServer();
    // This machine, at an address that doesn't look local.
    const smtpUrl = `smtp://[::ffff:127.0.0.1]:${plain.port}/${query}`;
    const server = await startTestServer({
      ...{ DATABASE_URL: quiet.databaseUrl, ...quiet.mailEnv, SMTP_URL: smtpUrl },
    });
    onTestFinished(() => server.stop());
    expect((await ask(server.url, emailOf(2))).status).toBe(303);
    const failures = () =>
      server.logs.filter(({ msg }) => String(msg).startsWith("an email was not sent"));
    await expect.poll(() => JSON.stringify(failures())).toContain("ETLS");
    expect(plain.said).toEqual([]);
  },
);
