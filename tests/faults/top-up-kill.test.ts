import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { amountOf, creditsFor, PACKS } from "~/catalog";
import { connectDb, type Database } from "~/db.server";
import { refundRun } from "~/models/metering/settle.server";
import { writeShown } from "~/services/payments/top-up-form";
import { PACK } from "../fixtures/sold";
import { signUp } from "../helpers/client";
import { holdUpdate } from "../helpers/hold-update";
import { chargeImages } from "../helpers/image-runs";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { press } from "../helpers/payments";
import { TEST_AUTH_SECRET, type TestServer } from "../helpers/test-server";
import { runMaintenance } from "../helpers/with-image-server";
import { withPaymentServer } from "../helpers/with-payment-server";

vi.setConfig({ testTimeout: 120_000 });

// Each test kills its own process, which takes the jobs, in the middle of a top-up. `app` goes on by maintenance.
const app = withPaymentServer("stripe", { WORKER: "off" });
const COST = creditsFor("image", 1);
const PRICE = amountOf({ type: "pack", skuKey: PACK.skuKey });
const PAGE = "/en/account/billing/top-up";

beforeAll(async () => {
  // The spends of this process read it.
  Object.assign(process.env, {
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    NEXT_PUBLIC_SITE_URL: app.url,
  });
  await app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` });
});

const answers = (mode: object) => app.control("stripe", "PUT", "/charges/answers", mode);

/** Whether what the card's charge causes is told to nobody. */
const loseEvents = (isLost: boolean) =>
  app.control("stripe", "PUT", "/mode", isLost ? { drop: ["payment_intent.succeeded"] } : {});

/** Sends the lost event again, as an operator can in the dashboard. */
async function redeliver(): Promise<void> {
  const { body } = await app.control("stripe", "GET", "/deliveries");
  const lost = (body as { id: string; state: string }[]).filter(({ state }) => state === "dropped");
  for (const { id } of lost) await app.control("stripe", "POST", `/deliveries/${id}/redeliver`, {});
}

async function openDatabase(): Promise<Database> {
  const db = connectDb(app.databaseUrl, 2);
  onTestFinished(() => db.$disconnect());
  return db;
}

async function createOwner(db: Database) {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 3 * COST);
  const shown = writeShown(PACKS);
  const fields = { intent: "card", threshold: String(3 * COST), skuKey: PACK.skuKey, shown };
  const reply = await person.post(PAGE, { ...fields, monthlyAmount: "500" });
  await press(reply.headers.get("Location") ?? "", { card: "4242" });
  const where = { email: person.email };
  const { id } = await db.user.findUniqueOrThrow({ where, select: { id: true } });
  const settings = await db.accountSettings.findUniqueOrThrow({ where: { accountId: id } });
  expect(settings.paymentMethodId).not.toBeNull();
  return { ...person, id, customerId: settings.providerCustomerId ?? "" };
}

const statusOf = async (db: Database, accountId: string) =>
  (await db.topUp.findFirst({ where: { accountId } }))?.status;

/** The moments at which the process dies. Each returns what follows its death. */
const MOMENTS: Record<
  string,
  (reached: {
    db: Database;
    id: string;
    begin: () => Promise<unknown>;
    customerId: string;
  }) => Promise<() => Promise<unknown>>
> = {
  "before it is asked for": async ({ begin }) => {
    const held = await holdUpdate(app.databaseUrl, "asked_at", "top_ups");
    await begin();
    await held.reached();
    return held.undo;
  },
  "when it is asked for, and the call hasn't left": async ({ begin }) => {
    const held = await holdUpdate(app.databaseUrl, "asked_at", "top_ups");
    await begin();
    await held.reached();
    return held.release;
  },
  "when the card was charged, and the answer hasn't come": async ({ begin, customerId }) => {
    await loseEvents(true);
    await answers({ delayMs: 60_000 });
    await begin();
    await expect.poll(async () => (await charges(customerId)).charges, { timeout: 30_000 }).toBe(1);
    return async () => {
      await answers({});
      await loseEvents(false);
    };
  },
  "when the answer has come, and isn't written": async ({ begin }) => {
    const held = await holdUpdate(app.databaseUrl, "provider_payment_id", "top_ups");
    await loseEvents(true);
    await begin();
    await held.reached();
    return async () => {
      await held.undo();
      await loseEvents(false);
    };
  },
};

async function charges(customerId: string) {
  const { body } = await app.control("stripe", "GET", "/money");
  const nothing = { charges: 0, taken: 0, returned: 0 };
  return (body as Record<string, typeof nothing>)[customerId] ?? nothing;
}

test.each(Object.keys(MOMENTS))("a process that is killed %s charges the card once", async (at) => {
  const db = await openDatabase();
  const { id, email, customerId } = await createOwner(db);
  let worker: TestServer | undefined;
  const begin = async () => {
    worker = await app.startAnother({ WORKER: "on" });
    await chargeImages(db, id, { prompt: "a lake", n: 1, size: "square" });
  };
  const after = await MOMENTS[at]?.({ db, id, customerId, begin });
  worker?.process.kill("SIGKILL");
  await after?.();
  await expect
    .poll(
      async () => {
        await db.$executeRaw`
        UPDATE top_ups SET created_at = created_at - interval '3 minutes',
          asked_at = asked_at - interval '3 minutes', called_at = called_at - interval '3 minutes'
        WHERE account_id = ${id}::uuid AND status IN ('claimed', 'asked', 'unknown')`;
        await runMaintenance(app.url);
        return (await charges(customerId)).charges;
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  // The event was lost where it was held back: the same is sent again.
  if ((await statusOf(db, id)) !== "paid") await redeliver();
  await expect.poll(() => statusOf(db, id), { timeout: 30_000 }).toBe("paid");
  expect(await charges(customerId)).toMatchObject({ charges: 1, taken: PRICE });
  expect((await ledgerOf(app, email)).filter(([type]) => type === "grant")).toEqual([
    ["grant", PACK.credits],
  ]);
  await expectSoundLedger(app);
});

async function startWorker(): Promise<TestServer> {
  const worker = await app.startAnother({ WORKER: "on" });
  onTestFinished(() => void worker.process.kill("SIGKILL"));
  return worker;
}

test("a process that stands still before its call takes nothing for an attempt that was given up meanwhile", async () => {
  const db = await openDatabase();
  const { id, customerId } = await createOwner(db);
  const frozen = await startWorker();
  // The last look before the call.
  const held = await holdUpdate(app.databaseUrl, "called_at", "top_ups", "OLD.status = 'asked'");
  const runId = await chargeImages(db, id, { prompt: "a lake", n: 1, size: "square" });
  await held.reached();
  frozen.process.kill("SIGSTOP");
  await held.release();
  await refundRun({ runId, error: "generation_failed" }, db);
  await db.$executeRaw`
    UPDATE top_ups SET created_at = created_at - interval '16 minutes',
      asked_at = asked_at - interval '16 minutes', called_at = called_at - interval '16 minutes'
    WHERE account_id = ${id}::uuid`;
  await runMaintenance(app.url);
  expect(await statusOf(db, id)).toBe("canceled");
  // Another crossing, which another process has charged.
  await startWorker();
  await chargeImages(db, id, { prompt: "a sea", n: 1, size: "square" });
  await expect.poll(async () => (await charges(customerId)).charges, { timeout: 30_000 }).toBe(1);
  frozen.process.kill("SIGCONT");
  // It gets no answer that would tell it of a payment.
  await expect
    .poll(() => frozen.logs, { timeout: 30_000 })
    .toContainEqual(expect.objectContaining({ msg: expect.stringContaining("isn't known yet") }));
  expect(await charges(customerId)).toMatchObject({ charges: 1, taken: PRICE });
  await expectSoundLedger(app);
});
