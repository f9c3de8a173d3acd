import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { afterEach, expect, test } from "vitest";
import type { Prisma } from "~/generated/prisma/client";
import { creemEvent, packCheckout } from "../../fixtures/creem";
import { REQUIRED } from "../../fixtures/env";
import { PACK } from "../../fixtures/sold";
import { createUser, openLedger } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";

const ledger = openLedger();

const run = (...args: string[]) =>
  runScript("scripts/webhooks/webhooks.command.ts", args, {
    ...REQUIRED,
    DATABASE_URL: ledger.url,
    LOG_LEVEL: "silent",
  });

afterEach(async () => {
  await ledger.db.webhookDelivery.deleteMany();
});

type Row = Partial<Prisma.WebhookDeliveryUncheckedCreateInput>;

/** Stores a Creem `checkout.completed` for a pack that was given up after ten attempts. */
async function storePack(row: Row = {}) {
  const userId = await createUser(ledger.db);
  const checkoutId = `ch_${randomUUID()}`;
  const metadata = { ...packCheckout.metadata, user_id: userId };
  const event = creemEvent("checkout.completed", { ...packCheckout, id: checkoutId, metadata });
  const eventId = `evt_${randomUUID()}`;
  const { id } = await ledger.db.webhookDelivery.create({
    data: {
      provider: "creem",
      dedupeKey: `id:${eventId}`,
      eventType: "checkout.completed",
      payload: new TextEncoder().encode(JSON.stringify({ ...event, id: eventId })),
      status: "dead",
      attempts: 10,
      lastError: "the ledger\n  was away",
      ...row,
    },
  });
  return { id, eventId, userId };
}

const statusOf = async (id: string) =>
  (await ledger.db.webhookDelivery.findUniqueOrThrow({ where: { id } })).status;

async function effectsOf(userId: string) {
  const { db } = ledger;
  return {
    credits: (await db.creditAccount.findUnique({ where: { userId } }))?.balance ?? 0,
    rows: await db.creditTransaction.count({ where: { userId } }),
    orders: await db.order.count({ where: { userId } }),
  };
}

const NO_EFFECT = { credits: 0, rows: 0, orders: 0 };
const ONE_EFFECT = { credits: PACK.credits, rows: 1, orders: 1 };

/** Runs `work` while the ledger accepts no rows. */
async function withBrokenLedger<T>(work: () => Promise<T>): Promise<T> {
  const session = await openSession(ledger.url);
  await session.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'the ledger is closed'; END $$`,
  );
  await session.query(
    "CREATE TRIGGER refuse BEFORE INSERT ON credit_transactions EXECUTE FUNCTION refuse()",
  );
  try {
    return await work();
  } finally {
    await session.query("DROP FUNCTION refuse CASCADE");
  }
}

test("`webhooks` lists its commands, and each prints its usage", async () => {
  const [overview, help, unknown] = await Promise.all([
    run("--help"),
    run("replay", "--help"),
    run("resend"),
  ]);
  expect(overview.stdout).toMatch(
    /npm run webhooks -- <command>[\s\S]*list [\s\S]*show [\s\S]*replay /,
  );
  expect(help.stdout).toContain("npm run webhooks -- replay [id...] [options]");
  expect(unknown).toMatchObject({
    code: 2,
    stderr: "webhooks: there is no command 'resend' (--help says more)\n",
  });
});

test("list prints the newest first, of one status if asked, each error on its line", async () => {
  expect((await run("list")).stdout).toBe("no deliveries\n");
  const old = await storePack({
    receivedAt: new Date("2026-01-01T00:00:00Z"),
    lastError:
      "\nInvalid `prisma.$queryRaw()` invocation:\n\n\nRaw query failed. Message: `the ledger\n  was away`",
  });
  const failed = await storePack({
    status: "failed",
    attempts: 3,
    nextAttemptAt: new Date("2026-01-02T00:09:00Z"),
    receivedAt: new Date("2026-01-02T00:00:00Z"),
    lastError: "x".repeat(100),
  });
  const [{ stdout }, dead, one] = await Promise.all([
    run("list"),
    run("list", "--status", "dead", "--limit", "5"),
    run("list", "--limit", "1", "--json"),
  ]);
  const [head, first, second] = stdout.split("\n");
  expect(head).toMatch(/^id +provider +type +status +tries +received +next try +error$/);
  expect(first).toBe(
    `${failed.id}  creem     checkout.completed  failed      3  2026-01-02T00:00:00.000Z  2026-01-02T00:09:00.000Z  ${"x".repeat(59)}…`,
  );
  expect(second).toMatch(
    new RegExp(`^${old.id} .* dead +10 .* -  +Message: .the ledger was away.$`),
  );
  expect(dead.stdout).not.toContain(failed.id);
  const { deliveries } = JSON.parse(one.stdout) as { deliveries: Record<string, unknown>[] };
  expect(deliveries).toMatchObject([
    { id: failed.id, provider: "creem", attempts: 3, leased: false, lastError: "x".repeat(100) },
  ]);
  expect(one.stdout).not.toMatch(/payload"|leaseToken/);
});

test("wrong arguments are refused in one line, with exit code 2", async () => {
  const limits = "--limit takes a number from 1 to 1000, not";
  const wrong: [args: string[], message: string][] = [
    [
      ["list", "--status", "lost"],
      "--status takes processing, processed, failed, dead, not 'lost'",
    ],
    [["list", "--limit", "0"], `${limits} '0'`],
    [["list", "--limit", "1001"], `${limits} '1001'`],
    [["list", "--limit", "ten"], `${limits} 'ten'`],
    [["list", "all"], "unexpected argument 'all'"],
    [["replay"], "give ids or --all-dead"],
    [["replay", "evt_1", "--all-dead"], "--all-dead takes no ids"],
  ];
  const results = await Promise.all(wrong.map(([args]) => run(...args)));
  expect(results).toMatchObject(
    wrong.map(([[command], message]) => ({
      code: 2,
      stdout: "",
      stderr: `webhooks ${command}: ${message} (--help says more)\n`,
    })),
  );
});

test("show prints every field, and the payload without personal data", async () => {
  const leaseToken = randomUUID();
  const { id, eventId, userId } = await storePack({
    status: "processing",
    leaseToken,
    leaseUntil: new Date("2026-01-01T00:02:00Z"),
  });
  const [{ stdout }, byKey, byId] = await Promise.all([
    run("show", eventId),
    run("show", `id:${eventId}`),
    run("show", id),
  ]);
  expect(stdout).toMatch(new RegExp(`^id +${id}\nprovider +creem\nkey +id:${eventId}\n`));
  expect(stdout).toContain(`until 2026-01-01T00:02:00.000Z (over), token ${leaseToken}`);
  expect(stdout).toContain(`"user_id": "${userId}"`);
  expect(stdout).toContain('"email": "[redacted]"');
  expect(stdout).not.toContain("@example.com");
  expect(byKey.stdout).toBe(stdout);
  expect(byId.stdout).toBe(stdout);
});

test("show --raw prints exactly the received bytes", async () => {
  const bytes = new TextEncoder().encode('{"id": "evt_raw",\r\n "url":"https://a:b@c/", "ä":1 }  ');
  const { id } = await storePack({ payload: bytes });
  const { stdout, code } = await run("show", id, "--raw");
  expect({ stdout, code }).toEqual({ stdout: new TextDecoder().decode(bytes), code: 0 });
});

test("show says that a payload was dropped", async () => {
  const { id } = await storePack({ payload: null, status: "processed" });
  const [shown, raw, replayed] = await Promise.all([
    run("show", id),
    run("show", id, "--raw"),
    run("replay", id),
  ]);
  expect(shown.stdout).toMatch(/\n\nthe payload was dropped\n$/);
  expect(raw).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "webhooks show: the payload was dropped\n",
  });
  expect(replayed).toMatchObject({
    code: 0,
    stdout: `${id}  processed long ago, its payload dropped: nothing to replay\n`,
  });
});

test("an unknown delivery and an ambiguous one are refused in one line", async () => {
  const { id, eventId, userId } = await storePack();
  const other = await storePack({ provider: "stripe", dedupeKey: `id:${eventId}` });
  const [unknown, oneUnknown, ambiguous] = await Promise.all([
    run("show", "evt_none"),
    run("replay", id, randomUUID()),
    run("replay", eventId),
  ]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: "webhooks show: there is no delivery 'evt_none'\n",
  });
  expect(oneUnknown).toMatchObject({ code: 1, stdout: "" });
  expect(await effectsOf(userId)).toEqual(NO_EFFECT);
  expect(ambiguous).toMatchObject({
    code: 1,
    stderr: `webhooks replay: '${eventId}' matches two deliveries: choose ${id} (creem) or ${other.id} (stripe)\n`,
  });
});

test("replay fails while the cause is there, works once it is gone, and repeats nothing", async () => {
  const { id, eventId, userId } = await storePack();
  const failed = await withBrokenLedger(() => run("replay", eventId));
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(new RegExp(`^${id}  failed: [^\n]*the ledger is closed[^\n]*\n$`));
  const [event, summary, ...rest] = failed.stderr.trim().split("\n");
  expect(JSON.parse(event ?? "")).toMatchObject({
    event: "operator_command",
    command: "webhooks replay",
    operator: userInfo().username,
    deliveryId: id,
  });
  expect([summary, ...rest]).toEqual([
    "webhooks replay: 1 of 1 failed; webhooks show <id> says more",
  ]);
  expect(await effectsOf(userId)).toEqual(NO_EFFECT);

  const done = await run("replay", eventId);
  expect(done).toMatchObject({ code: 0, stdout: `${id}  processed\n` });
  expect(await effectsOf(userId)).toEqual(ONE_EFFECT);

  expect(await run("replay", id)).toMatchObject({ code: 0, stdout: `${id}  processed\n` });
  expect(await effectsOf(userId)).toEqual(ONE_EFFECT);
  expect(await statusOf(id)).toBe("processed");
});

test("replay --all-dead tries those alone, oldest first, and goes on past one that fails", async () => {
  const oldest = await storePack({
    receivedAt: new Date("2026-01-01T00:00:00Z"),
    payload: new TextEncoder().encode("[]"),
  });
  const newer = await storePack({ receivedAt: new Date("2026-01-02T00:00:00Z") });
  const waiting = await storePack({ status: "failed" });
  const { code, stdout } = await run("replay", "--all-dead");
  expect(code).toBe(1);
  expect(stdout).toBe(
    `${oldest.id}  failed: the stored payload is no longer a JSON object\n${newer.id}  processed\n`,
  );
  expect(await statusOf(waiting.id)).toBe("failed");
  expect(await statusOf(oldest.id)).toBe("dead");
  await ledger.db.webhookDelivery.delete({ where: { id: oldest.id } });
  expect(await run("replay", "--all-dead")).toMatchObject({
    code: 0,
    stdout: "nothing to replay\n",
  });
});

test("replay leaves a delivery that another attempt holds", async () => {
  const { id, userId } = await storePack({
    status: "processing",
    leaseToken: randomUUID(),
    leaseUntil: new Date(Date.now() + 60_000),
  });
  expect(await run("replay", id)).toMatchObject({
    code: 0,
    stdout: `${id}  under way elsewhere: nothing was done here\n`,
  });
  expect(await effectsOf(userId)).toEqual(NO_EFFECT);
});
