import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { creditsFor } from "~/catalog";
import type { StripeState } from "../../scripts/sandbox/stripe/stripe-state";
import { LAST_PACK, MIDDLE_PACK, PACK, PLAN } from "../fixtures/sold";
import { type Client, signUp } from "../helpers/client";
import { makeImage, openCheckout, pay, startTraffic } from "../helpers/shop-traffic";
import { findSystemPostgres } from "../helpers/system-postgres";
import { openShop, type Shop } from "../helpers/whole-shop";

const bin = findSystemPostgres();
if (bin === null) console.info("no PostgreSQL of this machine's own: the restore drill is skipped");

/** The commands of the page's part on live sites, in order. */
function listDocumented(): string[] {
  const page = readFileSync("docs/backups.md", "utf8");
  const part = page.slice(page.indexOf("## Restoring a live site"));
  return [...part.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = ""]) =>
    text.trim().split(/\n\s*/),
  );
}

/** Milliseconds: longer than the site is away. */
const HELD = 45_000;

/** Starts an image that is still being made when the site is back, and returns once its provider has the request. */
async function holdImage(shop: Shop, person: Client): Promise<void> {
  await shop.images.order({ provider: "fal", fault: "slow", delayMs: HELD });
  makeImage(person).catch(() => undefined);
  const asked = () => shop.sql("SELECT 1 FROM metered_runs WHERE provider_request_id IS NOT NULL");
  await expect.poll(asked).toHaveLength(1);
}

const balanceOf = async (person: Client) =>
  (await person.json("GET", "/api/account/credits")).body.balance;

const packsPaid = ({ sessions }: StripeState) =>
  Object.values(sessions).filter(({ mode, status }) => mode === "payment" && status === "complete");

/** Everything that payments left in the database, to see that nothing is added. */
const readEffects = (shop: Shop) =>
  shop.sql(`SELECT user_id, type, amount, source FROM credit_transactions ORDER BY id`);

interface Found {
  differences: { userId: string; applied: boolean }[];
}

/**
 * Does what each line of the page says. The provider is paid while the server is down, and delivers half of
 * the late events while the repair runs, the others not at all. Returns what the repair found.
 */
async function restoreAsDocumented(
  shop: Shop,
  { dump, openPage, sentBefore }: { dump: string; openPage: string; sentBefore: number },
): Promise<Found> {
  let applied = "";
  for (const line of listDocumented()) {
    const [, command, text = ""] = /^npm run ([\w:]+) -- (.*)$/.exec(line) ?? [];
    const args = text.replace("latest.dump", dump).split(" ");
    const today = new Date().toISOString().slice(0, 10);
    if (line === "systemctl stop credits credits-cron") {
      await shop.stop();
      await pay(openPage);
    } else if (/^sudo -u postgres createdb /.test(line)) {
      const [, owner, name] = /--owner=(\w+) (\w+)$/.exec(line) ?? [];
      await shop.postgres.sql(`CREATE DATABASE ${name} OWNER ${owner}`);
    } else if (/^sudo -u postgres psql /.test(line)) {
      await shop.postgres.sql(...[...line.matchAll(/-c '([^']+)'/g)].map(([, sql = ""]) => sql));
    } else if (command === "db:restore") {
      const { code, stdout, stderr } = await shop.run(command, ...args);
      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`reconcile --since ${today}`);
    } else if (command === "preflight") {
      // Its faults here are the sandbox's. The webhook opens now, as the page allows.
      await shop.start();
    } else if (command === "billing" && args.includes("--apply")) {
      const late = (await shop.listSent()).slice(sentBefore).filter((_, at) => at % 2 === 0);
      const [run] = await Promise.all([
        shop.run(command, "reconcile", "--since", today, "--apply", "--json"),
        ...late.map(({ id }) => shop.order(`/deliveries/${id}/redeliver`, { copies: 2 })),
      ]);
      applied = run?.stdout ?? "";
    } else if (command === "billing") {
      expect(await shop.run(command, "reconcile", "--since", today)).toMatchObject({ code: 1 });
    } else if (command === "ledger" || command === "users") {
      const { code, stdout } = await shop.run(command, ...args);
      expect({ line, code }).toEqual({ line, code: 0 });
      if (command === "ledger") expect(stdout).toContain("no faults");
    } else if (!line.endsWith(".timer")) {
      expect(line).toBe("systemctl start credits credits-cron");
    }
  }
  return JSON.parse(applied) as Found;
}

test.skipIf(bin === null)(
  "after a restore under traffic each paid order is granted once, whatever the provider delivers again",
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "restore-drill-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const shop = await openShop(bin ?? "");
    await shop.start();

    const [subscriber, artist, patient] = await Promise.all([1, 2, 3].map(() => signUp(shop.url)));
    if (!subscriber || !artist || !patient) throw new Error("three people are needed");
    await pay(await openCheckout(subscriber, { planKey: PLAN.planKey, period: "month" }));
    await pay(await openCheckout(artist, { skuKey: PACK.skuKey }));
    await expect.poll(() => balanceOf(artist)).toBe(PACK.credits);
    await holdImage(shop, artist);
    const openPage = await openCheckout(patient, { skuKey: LAST_PACK.skuKey });

    const traffic = await startTraffic(shop.url, 3);
    await expect.poll(traffic.rounds).toBeGreaterThan(3);
    const sentBefore = (await shop.listSent()).length;
    const before = traffic.rounds();
    const dump = path.join(folder, "latest.dump");
    expect(await shop.run("db:backup", dump)).toMatchObject({ code: 0 });
    expect(traffic.rounds()).toBeGreaterThan(before);

    // All of this is missing in the backup.
    await expect.poll(traffic.rounds).toBeGreaterThan(before + 6);
    const newcomer = await signUp(shop.url);
    await pay(await openCheckout(newcomer, { skuKey: MIDDLE_PACK.skuKey }));
    const { subscriptions, sessions } = await shop.atProvider<StripeState>();
    const half = Math.floor(PACK.amount / 2);
    // The artist's pack, half of which is paid back.
    const refunded = Object.values(sessions).find(({ mode }) => mode === "payment")?.id;
    await shop.order(`/payments/${refunded}/refund`, { amount: half });
    await shop.order(`/subscriptions/${Object.keys(subscriptions)[0]}/renew`);
    await traffic.stop();
    const [lost] = await shop.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
      newcomer.email,
    ]);

    const applied = await restoreAsDocumented(shop, { dump, openPage, sentBefore });

    // Only the customer whom the backup does not know remains.
    expect(applied.differences).toContainEqual(expect.objectContaining({ applied: true }));
    const again = JSON.parse((await shop.run("billing", "reconcile", "--json")).stdout) as Found;
    expect(again.differences.map(({ userId }) => userId)).toEqual([lost?.id]);

    const state = await shop.atProvider<StripeState>();
    const paid = packsPaid(state).filter(({ clientReferenceId }) => clientReferenceId !== lost?.id);
    expect(paid.length).toBeGreaterThan(before + 6);
    const orders = await shop.sql<{ id: string; grants: string; returned: number }>(
      `SELECT provider_checkout_id AS id, amount_refunded AS returned,
         (SELECT count(*) FROM credit_transactions t
          WHERE t.source = 'order:stripe:' || provider_checkout_id AND t.amount = orders.credits) AS grants
       FROM orders WHERE status <> 'pending'`,
    );
    expect(orders.map(({ id }) => id).sort()).toEqual(paid.map(({ id }) => id).sort());
    expect(new Set(orders.map(({ grants }) => grants))).toEqual(new Set(["1"]));
    expect(orders.filter(({ returned }) => Number(returned) > 0)).toMatchObject([
      { id: refunded, returned: expect.anything() },
    ]);
    const periods = await shop.sql("SELECT DISTINCT starts_at FROM subscription_periods");
    expect(periods).toHaveLength(2);

    // The image that was being made at the moment of the backup is fetched, and charged once.
    const readHeld = async () => {
      const [held] = await shop.sql<{ status: string; balance: number; images: number }>(
        `SELECT run.status, a.balance, (SELECT jsonb_array_length(images) FROM image_generations made WHERE made.id = run.id) AS images
         FROM metered_runs run JOIN users u ON u.id = run.account_id
           JOIN credit_accounts a ON a.user_id = u.id WHERE u.email = $1`,
        [artist.email],
      );
      return held;
    };
    const left = PACK.credits - Math.floor((PACK.credits * half) / PACK.amount);
    await expect
      .poll(readHeld, { timeout: 3 * HELD, interval: 500 })
      .toEqual({ status: "settled", balance: left - creditsFor("image", 1), images: 1 });

    // Every event there ever was, twice over.
    const effects = await readEffects(shop);
    const sent = await shop.listSent();
    await Promise.all(
      sent.map(({ id }) => shop.order(`/deliveries/${id}/redeliver`, { copies: 2 })),
    );
    expect(await readEffects(shop)).toEqual(effects);
    expect((await shop.run("ledger", "verify")).stdout).toContain("no faults");
  },
  240_000,
);
