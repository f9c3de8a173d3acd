import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { startMailSandbox } from "../../scripts/sandbox/mail/mail-sandbox";
import { createClient, type Person } from "./client";
import { withHostileProvider } from "./hostile-provider";
import { giveCredits } from "./ledger";
import { storePerson } from "./store-person";
import { TEST_AUTH_SECRET } from "./test-server";
import { type WatchedEvent, watchSockets } from "./watched-sockets";
import { withTestServer } from "./with-test-server";

/** Hosts that image providers name for finished pictures: looked up, and then refused. */
const PICTURE_HOSTS = ["localhost", "localhost.", "pictures.invalid"];

/**
 * Starts two watched servers for all tests of a file, and one hostile provider for both. After each test they may
 * have connected to, and looked up, only what their configuration names. The shop sells by Stripe and takes
 * pictures from public addresses only. The kiosk sells by Creem, keeps files at the hostile provider, has a bot
 * challenge and a mail server, and takes pictures from this machine, too.
 */
export async function withWatchedSites() {
  const watch = watchSockets(afterAll);
  const provider = withHostileProvider();
  /** Nobody may be connected to here: a service of the machine that the world must not reach. */
  const inside = `http://127.0.0.1:${await freePort(0, "127.0.0.1")}`;
  let mail: Awaited<ReturnType<typeof startMailSandbox>>;
  beforeAll(async () => {
    mail = await startMailSandbox({ port: 0, onMail: () => undefined });
  });
  afterAll(() => mail.stop());

  const shop = withTestServer(async () => ({
    ...provider.env(),
    ...watch.env,
    PAYMENTS_PROVIDER: "stripe",
    IMAGE_PROVIDER: "1",
    // This machine, by an address that counts as another one's: so pictures must be public.
    IMAGE_PROVIDER_1_API_BASE: `http://0.0.0.0:${provider.port()}/fal`,
    TURNSTILE_SECRET_KEY: "",
    TRUST_PROXY: "1",
    TRUST_PROXY_HOST: "true",
  }));
  const kiosk = withTestServer(async () => ({
    ...provider.env(),
    ...mail.env,
    ...watch.env,
    PAYMENTS_PROVIDER: "creem",
    IMAGE_PROVIDER: "2",
    S3_ENDPOINT: `http://127.0.0.1:${provider.port()}/store`,
    TRUST_PROXY: "1",
  }));

  /** Every address that the configuration of one of them names. */
  const listAddresses = () => [
    shop.databaseUrl,
    kiosk.databaseUrl,
    inject("s3Env").S3_ENDPOINT,
    mail.env.SMTP_URL,
    `http://127.0.0.1:${provider.port()}`,
  ];

  afterEach(() => {
    for (const start of Object.keys(provider.responses)) delete provider.responses[start];
    provider.asked.splice(0);
    expect(listStrangers(watch.events(), listAddresses())).toEqual([]);
  });

  let people = 0;
  const newEmail = () => `outgoing-${people++}@example.com`;

  /** A person with a verified address and many credits. */
  async function newPerson(app: typeof shop): Promise<Person> {
    const email = newEmail();
    const client = createClient(app.url);
    const store = { databaseUrl: app.databaseUrl, authSecret: TEST_AUTH_SECRET };
    client.keep([await storePerson(store, email)]);
    await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
    await giveCredits(app, email, 10_000);
    return { ...client, email };
  }

  return { shop, kiosk, provider, watch, inside, listAddresses, newEmail, newPerson };
}

/** Every connection beyond these addresses, and every other name that was looked up. */
function listStrangers(events: WatchedEvent[], addresses: string[]): string[] {
  const urls = addresses.map((address) => new URL(address));
  const ports = urls.map(({ port }) => Number(port));
  const names = [...urls.map(({ hostname }) => hostname), ...PICTURE_HOSTS];
  const isListed = ({ kind, host = "", port = 0 }: WatchedEvent) =>
    kind === "watching" ||
    (kind === "connect" &&
      ["127.0.0.1", "::1", "0.0.0.0"].includes(host) &&
      ports.includes(port)) ||
    (kind === "look up" && names.includes(host));
  const strangers = events.filter((event) => !isListed(event));
  return strangers.map(({ kind, host, port }) => `${kind} ${host} ${port ?? ""}`);
}

/** A JSON object with an address in every field that a client may be tempted to follow. */
export function addressesOf(inside: string): Record<string, string> {
  const names =
    "url href self next next_page location redirect_uri avatar_url image picture jku jwks_uri issuer endpoint receipt_url hosted_invoice_url invoice_pdf";
  return Object.fromEntries(names.split(" ").map((name) => [name, `${inside}/${name}`]));
}

/** Addresses of the port that lead inside, in the ways in which checks are fooled. */
export function insideUrls(inside: string): string[] {
  const { port } = new URL(inside);
  const hosts =
    "127.0.0.1 127.1 2130706433 0x7f.1 localhost LOCALHOST. 0.0.0.0 [::1] [::ffff:127.0.0.1] 10.0.0.1 192.168.0.1 169.254.169.254 [fd00:ec2::254] [64:ff9b::7f00:1] pictures.invalid";
  return hosts.split(" ").map((host) => `https://${host}:${port}/x.png`);
}
