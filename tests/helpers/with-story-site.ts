import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import { startPaymentSandbox } from "../../scripts/sandbox/payment-sandbox";
import { startTextSandbox } from "../../scripts/sandbox/text/text-sandbox";
import { ADMINS, createAdmin } from "./admins";
import { type Client, signUp } from "./client";
import { listPages, type Visitor } from "./story/pages";
import { savePlanAtStripe } from "./story/plan-at-stripe";
import { type SeededAccount, seedAccount } from "./story/seed-account";
import { showToAdmins } from "./story/show-to-admins";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

const NO_IDS = {
  userId: "",
  subscriptionId: "",
  orderId: "",
  checkoutId: "",
  generationId: "",
  failedGenerationId: "",
};

/** The names of all pages, for the names of tests. */
export const PAGE_NAMES = listPages(NO_IDS).map(({ name }) => name);

/** Starts a server with every service and two people: one with a history, and one without. */
export function withStorySite() {
  const stops: (() => Promise<void>)[] = [];
  const app = withTestServer(async () => {
    const images = await startImageSandbox({ port: 0 });
    stops.push(images.stop);
    const text = await startTextSandbox({ port: 0 });
    stops.push(text.stop);
    const directory = await mkdtemp(path.join(os.tmpdir(), "story-payments-"));
    stops.push(() => rm(directory, { recursive: true, force: true }));
    savePlanAtStripe(path.join(directory, "stripe.json"), { email: "ada@example.com" });
    const payments = await startPaymentSandbox({
      directory,
      stripePort: 0,
      creemPort: 0,
      webhookUrl: "http://127.0.0.1:9/",
    });
    stops.push(payments.stop);
    // Nothing listens there: mail is on, and stays in the outbox.
    const mail = { SMTP_URL: "smtp://127.0.0.1:9", EMAIL_FROM: "Shop <shop@example.com>" };
    const admin = { ADMIN_EMAILS: ADMINS[0] };
    return { ...images.env, ...text.env, ...payments.env, ...mail, ...admin };
  });
  const people = {} as Record<Exclude<Visitor, "nobody">, Client>;
  let seeded: SeededAccount;
  beforeAll(async () => {
    const [busy, empty] = [await signUp(app.url), await signUp(app.url)];
    Object.assign(people, { busy, empty, admin: await createAdmin(app) });
    seeded = await seedAccount(app.databaseUrl, { email: busy.email, store: null });
    await app.sql("UPDATE users SET email_verified_at = coalesce(email_verified_at, now())");
    await addLongNames(app, busy.email);
    await showToAdmins(app.databaseUrl, seeded.userId);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  return {
    app,
    /** Finds a page by its name. */
    find(name: string) {
      const page = listPages(seeded).find((listed) => listed.name === name);
      if (!page) throw new Error(`there is no page ${name}`);
      return page;
    },
    /** Lets the browser come as this visitor. */
    async enterAs(visitor: Visitor, context: BrowserContext) {
      if (visitor === "nobody") return;
      const [name = "", value = ""] = people[visitor].cookie().split("; ")[0]?.split("=") ?? [];
      await context.addCookies([{ name, value, url: app.url }]);
    },
  };
}

/** Gives the person a file and a passkey with names that no line of a phone holds. */
async function addLongNames(app: ServerUnderTest, email: string): Promise<void> {
  await app.sql(
    `INSERT INTO files (user_id, key, filename, content_type, size, status, confirmed_at)
     SELECT id, 'long', $2, 'application/pdf', 1, 'confirmed', now() FROM users WHERE email = $1`,
    [email, `${"long-name-".repeat(12)}.pdf`],
  );
  await app.sql(
    `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
     SELECT id, 'long', '\\x00', true, $2 FROM users WHERE email = $1`,
    [email, "W".repeat(60)],
  );
}
