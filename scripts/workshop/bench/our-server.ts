import { randomBytes, randomUUID } from "node:crypto";
import { CURRENCY, PACKS } from "~/catalog";
import { signAsStripe } from "../../lib/sign-delivery";
import { type ServingProcess, startServing } from "./serving-process";

const WEBHOOK_SECRET = `whsec_${randomBytes(16).toString("hex")}`;

/** Starts the production build in a folder, this project's or another's, as `npm start` does, on this database. */
export function startOurs(
  databaseUrl: string,
  {
    args = [],
    ipc = false,
    folder = process.cwd(),
  }: { args?: string[]; ipc?: boolean; folder?: string } = {},
): Promise<ServingProcess> {
  return startServing({
    args: [...args, "build/commands/start.js"],
    cwd: folder,
    readyPath: "/readyz",
    ipc,
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: randomBytes(32).toString("hex"),
      ...(process.env.DIRECT_RENDERING ? { DIRECT_RENDERING: process.env.DIRECT_RENDERING } : {}),
      RATE_LIMIT_SCALE: "1000000000",
      PASSWORD_BREACH_CHECK: "false",
      NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
      PAYMENTS_PROVIDER: "stripe",
      PROVIDER_A_SECRET_KEY: "sk_test_bench",
      PROVIDER_A_WEBHOOK_SECRET: WEBHOOK_SECRET,
      NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
      IMAGE_PROVIDER_1_KEY: "bench",
      STORAGE_PROVIDER: "s3",
      S3_ENDPOINT: "http://127.0.0.1:9",
      S3_ACCESS_KEY_ID: "bench",
      S3_SECRET_ACCESS_KEY: "bench",
      S3_BUCKET_NAME: "bench",
      S3_REGION: "us-east-1",
    },
  });
}

/** Signs up a person and returns the `Cookie` header of their session. */
export async function signUp({ url }: ServingProcess): Promise<string> {
  const body = new URLSearchParams({
    email: `${randomUUID()}@example.com`,
    password: "correct horse battery",
  });
  const response = await fetch(`${url}/en/sign-up`, { method: "POST", body, redirect: "manual" });
  const [cookie] = response.headers.getSetCookie();
  if (response.status !== 303 || !cookie) throw new Error(`sign-up: ${response.status}`);
  return cookie.split(";")[0] ?? "";
}

/** A signed delivery of a paid checkout of the first pack, each time another checkout. */
export function paidCheckout({ url }: { url: string }, userId: string) {
  const id = randomUUID();
  const [pack] = PACKS;
  const body = JSON.stringify({
    id: `evt_${id}`,
    object: "event",
    type: "checkout.session.completed",
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: {
      object: {
        id: `cs_${id}`,
        object: "checkout.session",
        mode: "payment",
        payment_status: "paid",
        payment_intent: `pi_${id}`,
        subscription: null,
        customer: null,
        amount_subtotal: pack.amount,
        amount_total: pack.amount,
        currency: CURRENCY,
        metadata: { user_id: userId, site: new URL(url).host, sku_key: pack.skuKey },
      },
    },
  });
  return { body, headers: signAsStripe(WEBHOOK_SECRET)(body, new Date()) };
}
