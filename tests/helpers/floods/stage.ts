import { afterAll, beforeAll } from "vitest";
import { startImageSandbox } from "../../../scripts/sandbox/images/image-sandbox";
import { startMailSandbox } from "../../../scripts/sandbox/mail/mail-sandbox";
import { startOauthSandbox } from "../../../scripts/sandbox/oauth/oauth-sandbox";
import { startTextSandbox } from "../../../scripts/sandbox/text/text-sandbox";
import { type Client, createClient } from "../client";
import { createImageControl } from "../image-sandbox";
import { storePerson } from "../store-person";
import { hashTables, listTables } from "../stored-tables";
import { TEST_AUTH_SECRET, type TestServer } from "../test-server";
import { withTurnstile } from "../turnstile-control";
import { type PaymentServerUnderTest, withPaymentServer } from "../with-payment-server";

export type Person = Client & { email: string };

/** A server with everything on, whose limits are a fifth of the real ones. */
export interface Stage {
  app: PaymentServerUnderTest;
  /** The same with the bot challenge on. */
  challenged(): TestServer;
  /** A new person with a verified address and a fresh session. */
  person(): Promise<Person>;
  /** The same without a password. */
  passwordless(): Promise<Person>;
  /** A person with a running plan, and its id. */
  subscriber(): Promise<Person & { subscriptionId: string }>;
  /** One hash of each table's rows, but for the counters of limits. */
  stored(): Promise<Record<string, string>>;
  /** The rows of all tables together, those of limits too. */
  countRows(): Promise<number>;
  /** Requests to providers so far. */
  asked(): Promise<number>;
}

export const SCALE = 0.2;

let people = 0;
export const newEmail = () => `flood-${process.pid}-${Date.now()}-${people++}@example.com`;

export function withStage(): Stage {
  const turnstile = withTurnstile();
  const stops: (() => Promise<unknown>)[] = [];
  let images: ReturnType<typeof createImageControl>;
  let second: TestServer;
  const app = withPaymentServer("stripe", async () => {
    const [mail, oauth, image, text] = await Promise.all([
      startMailSandbox({ port: 0, onMail: () => undefined }),
      startOauthSandbox({ port: 0 }),
      startImageSandbox({ port: 0 }),
      startTextSandbox({ port: 0 }),
    ]);
    stops.push(mail.stop, oauth.stop, image.stop, text.stop);
    images = createImageControl(image.controlUrl);
    const own = { TRUST_PROXY: "1", RATE_LIMIT_SCALE: String(SCALE) };
    return { ...mail.env, ...oauth.env, ...image.env, ...text.env, ...own };
  });
  beforeAll(async () => {
    second = await app.startAnother(await turnstile.start());
    stops.push(second.stop);
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  const person: Stage["person"] = async () => {
    const email = newEmail();
    const client = createClient(app.url);
    const store = { databaseUrl: app.databaseUrl, authSecret: TEST_AUTH_SECRET };
    client.keep([await storePerson(store, email)]);
    await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
    return { ...client, email };
  };
  return {
    app,
    challenged: () => second,
    person,
    async passwordless() {
      const made = await person();
      await app.sql("UPDATE users SET password_hash = NULL WHERE email = $1", [made.email]);
      return made;
    },
    async subscriber() {
      const made = await person();
      const { webhooks } = await app.buy("plan", { person: made });
      for (const webhook of webhooks) await app.deliver(webhook);
      const [row] = await app.sql<{ id: string }>(
        "SELECT s.id FROM subscriptions s JOIN users u ON u.id = user_id WHERE email = $1",
        [made.email],
      );
      return { ...made, subscriptionId: row?.id ?? "" };
    },
    stored: () => hashTables(app.sql),
    async countRows() {
      const counts = (await listTables(app.sql)).map(
        (name) => `SELECT count(*) AS rows FROM ${name}`,
      );
      const [row] = await app.sql<{ rows: number }>(
        `SELECT sum(rows)::int AS rows FROM (${counts.join(" UNION ALL ")}) counted`,
      );
      return row?.rows ?? 0;
    },
    async asked() {
      const calls = Object.values(await images.calls()).flatMap((each) => Object.values(each));
      const { body } = await app.control("stripe", "GET", "/requests");
      return calls.reduce((sum, count) => sum + count, 0) + (body as unknown[]).length;
    },
  };
}
