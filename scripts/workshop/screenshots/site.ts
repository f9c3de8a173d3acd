import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseEnv } from "~/env.server";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { createS3Store } from "~/services/storage/s3-store.server";
import type { Visitor } from "../../../tests/helpers/story/pages";
import { savePlanAtStripe } from "../../../tests/helpers/story/plan-at-stripe";
import { type SeededAccount, seedAccount } from "../../../tests/helpers/story/seed-account";
import { showToAdmins } from "../../../tests/helpers/story/show-to-admins";
import { startOnFreePort } from "../../lib/free-port";
import { withClient } from "../../lib/with-client";
import { startImageSandbox } from "../../sandbox/images/image-sandbox";
import { startLocalS3 } from "../../sandbox/local-s3";
import { startPaymentSandbox } from "../../sandbox/payment-sandbox";
import { startTextSandbox } from "../../sandbox/text/text-sandbox";
import { withBenchServer } from "../bench/bench-server";
import { type ServingProcess, startServing } from "../bench/serving-process";
import { uploadSamples } from "./upload-samples";

export interface Site {
  url: string;
  seeded: SeededAccount;
  /** The session cookie of each visitor; none for nobody. */
  cookies: Record<Visitor, { name: string; value: string } | null>;
}

const BUSY = "ada@example.com";
const ADMIN = "admin@example.com";

/** Runs `work` with the production build, a database and stand-ins for every service, all temporary. */
export async function withSite<T>(
  onProgress: (line: string) => void,
  work: (site: Site) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "credits-screenshots-"));
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await withBenchServer({ onProgress }, async ({ createDatabase }) => {
      try {
        const databaseUrl = await createDatabase();
        const env = await startStandIns(folder, stops);
        onProgress("starting the site");
        const server = await startServing({
          args: ["build/commands/start.js"],
          cwd: process.cwd(),
          readyPath: "/readyz",
          env: { DATABASE_URL: databaseUrl, ...env },
        });
        stops.unshift(server.stop);
        const busy = await signUp(server, BUSY);
        const empty = await signUp(server, "grace@example.com");
        const admin = await signUp(server, ADMIN);
        await withClient(databaseUrl, (client) =>
          client.query("UPDATE users SET email_verified_at = now()"),
        );
        await addFactor(databaseUrl);
        await uploadSamples(server.url, `${busy.name}=${busy.value}`);
        const settings = { ...env, DATABASE_URL: databaseUrl, NEXT_PUBLIC_SITE_URL: server.url };
        const parsed = parseEnv(settings);
        allowAddressesOf(parsed);
        const { storage } = parsed;
        const store = storage.enabled ? createS3Store(storage) : null;
        const seeded = await seedAccount(databaseUrl, { email: BUSY, store });
        await showToAdmins(databaseUrl, seeded.userId);
        const cookies = { nobody: null, busy, empty, admin };
        return await work({ url: server.url, seeded, cookies });
      } finally {
        for (const stop of stops.splice(0)) await stop();
      }
    });
  } finally {
    for (const stop of stops.splice(0)) await stop();
  }
}

async function startStandIns(
  folder: string,
  stops: (() => Promise<void>)[],
): Promise<Record<string, string>> {
  const s3 = await startOnFreePort(0, (port) => startLocalS3({ directory: folder, port }));
  stops.unshift(s3.stop);
  const images = await startOnFreePort(0, (port) => startImageSandbox({ port }));
  stops.unshift(images.stop);
  const text = await startOnFreePort(0, (port) => startTextSandbox({ port }));
  stops.unshift(text.stop);
  const directory = path.join(folder, "payments");
  savePlanAtStripe(path.join(directory, "stripe.json"), { email: BUSY });
  const payments = await startPaymentSandbox({
    directory,
    stripePort: 0,
    creemPort: 0,
    // Nothing is bought here, so nothing is delivered.
    webhookUrl: "http://127.0.0.1:9/",
  });
  stops.unshift(payments.stop);
  return {
    AUTH_SECRET: randomBytes(32).toString("hex"),
    RATE_LIMIT_SCALE: "1000",
    PASSWORD_BREACH_CHECK: "false",
    // Nothing listens there: mail is on, and stays in the outbox.
    SMTP_URL: "smtp://127.0.0.1:9",
    EMAIL_FROM: "Shop <shop@example.com>",
    ADMIN_EMAILS: ADMIN,
    ...s3.env,
    ...images.env,
    ...text.env,
    ...payments.env,
  };
}

async function signUp({ url }: ServingProcess, email: string) {
  const body = new URLSearchParams({ email, password: randomBytes(12).toString("hex") });
  const response = await fetch(`${url}/en/sign-up`, { method: "POST", body, redirect: "manual" });
  const cookie = response.headers
    .getSetCookie()
    .map((set) => /^(session)=([^;]+)/.exec(set))
    .find((found) => found !== null);
  if (!cookie) throw new Error(`nobody could sign up: ${response.status}`);
  return { name: cookie[1] ?? "", value: cookie[2] ?? "" };
}

/** Gives the admin an authenticator app, without which nobody is one. Its codes are never asked for. */
async function addFactor(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO totp_factors (user_id, encrypted_secret, confirmed_at)
       SELECT id, 'never asked for', now() FROM users WHERE email = $1`,
      [ADMIN],
    ),
  );
}
