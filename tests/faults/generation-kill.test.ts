import { createServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { creditsFor } from "~/catalog";
import { signUp } from "../helpers/client";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { startTestServer, type TestServer } from "../helpers/test-server";
import { runMaintenance, withImageServer } from "../helpers/with-image-server";

// Every test kills its own server process and lets `app` clean up after it.
const app = withImageServer();

async function startVictim(env: Record<string, string> = {}): Promise<TestServer> {
  const victim = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...app.imagesEnv,
    ...env,
  });
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  return victim;
}

const COST = creditsFor("image", 2);
const CREDITS = COST + 30;

async function personWithCredits() {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  return person;
}

const request = (cookie: string, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { Cookie: cookie, ...headers },
  body: JSON.stringify({ prompt: "a cat", n: 2 }),
});

/** Sends a request that will never get a response. */
function generate(victim: TestServer, cookie: string): void {
  fetch(`${victim.url}/api/generate-image`, request(cookie)).catch(() => undefined);
}

const generationOf = async (email: string) => {
  const [row] = await app.sql<{ id: string; status: string }>(
    `SELECT g.id, g.status FROM image_generations g JOIN users ON users.id = user_id WHERE email = $1`,
    [email],
  );
  return row;
};

const statusOf = async (email: string) => (await generationOf(email))?.status;

async function killAndWait(victim: TestServer): Promise<void> {
  victim.process.kill("SIGKILL");
  await victim.stop();
}

/** Moves every lease into the past. */
const endLeases = () =>
  app.sql("UPDATE metered_runs SET lease_until = now() - interval '1 second'");

async function expectRefundedOnce(email: string): Promise<void> {
  await endLeases();
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 1 });
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  expect(await ledgerOf(app, email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
    ["refund", COST],
  ]);
  expect(await statusOf(email)).toBe("refunded");
  await expectSoundLedger(app);
}

/**
 * Locks a row, so that every statement that needs it waits until the returned function is called.
 */
async function holdRow(sql: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  await client.query(sql, values);
  return async () => {
    await client.query("ROLLBACK");
    await client.end();
  };
}

const waitingForLocks = async () => {
  const waiting = await app.sql(
    `SELECT 1 FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return waiting.length;
};

// Charging and settling are one statement each. PostgreSQL finishes it although the process that sent it is
// gone, so a kill in the middle leaves what a kill right after it leaves.
test("killed while the charge is being written: it is written whole, and refunded once", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  const release = await holdRow(
    `SELECT 1 FROM credit_accounts JOIN users ON users.id = user_id WHERE email = $1
     FOR UPDATE OF credit_accounts`,
    [person.email],
  );
  generate(victim, person.cookie());
  await expect.poll(waitingForLocks).toBe(1);
  await killAndWait(victim);
  await release();
  await expect.poll(waitingForLocks).toBe(0);
  await expect.poll(() => statusOf(person.email)).toBe("charged");
  await expectRefundedOnce(person.email);
});

test("killed while the provider works: refunded once, after the lease and not before", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 60_000 });
  generate(victim, person.cookie());
  await expect.poll(() => statusOf(person.email)).toBe("charged");
  await killAndWait(victim);
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  await expectRefundedOnce(person.email);
});

test("killed while the images are being saved: refunded once", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const reached = new Promise((resolve) => silent.once("connection", resolve));
  const { port } = silent.address() as { port: number };
  const victim = await startVictim({ S3_ENDPOINT: `http://127.0.0.1:${port}` });
  const person = await personWithCredits();
  generate(victim, person.cookie());
  await reached;
  await killAndWait(victim);
  await expectRefundedOnce(person.email);
});

test("killed while the success is being written: it is written whole, and stays a success", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_000 });
  generate(victim, person.cookie());
  await expect.poll(() => statusOf(person.email)).toBe("charged");
  const generation = await generationOf(person.email);
  const release = await holdRow("SELECT 1 FROM metered_runs WHERE id = $1 FOR UPDATE", [
    generation?.id,
  ]);
  await expect.poll(waitingForLocks, { timeout: 10_000 }).toBe(1);
  await killAndWait(victim);
  await release();
  await expect.poll(waitingForLocks).toBe(0);
  await expect.poll(() => statusOf(person.email)).toBe("succeeded");
  await endLeases();
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
  ]);
  await expectSoundLedger(app);
});

test("killed after the success was written: it stays a success, and nothing is refunded", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  generate(victim, person.cookie());
  await expect.poll(() => statusOf(person.email)).toBe("succeeded");
  await killAndWait(victim);
  await endLeases();
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
  ]);
  await expectSoundLedger(app);
});

test("a success that comes after maintenance has refunded is not charged again", async () => {
  const slow = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_500 });
  const response = fetch(`${slow.url}/api/generate-image`, request(person.cookie()));
  await expect.poll(() => statusOf(person.email)).toBe("charged");
  await expectRefundedOnce(person.email);
  const late = await response;
  expect(late.status).toBe(500);
  expect(await late.json()).toMatchObject({ code: "generation_failed" });
  expect(await ledgerOf(app, person.email)).toHaveLength(3);
  await expectSoundLedger(app);
});

test("a retry under the same key after a crash settles it at once, and says that it was refunded", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 60_000 });
  const keyed = request(person.cookie(), { "Idempotency-Key": "retry" });
  fetch(`${victim.url}/api/generate-image`, keyed).catch(() => undefined);
  await expect.poll(() => statusOf(person.email)).toBe("charged");
  await killAndWait(victim);
  const retry = () => fetch(`${app.url}/api/generate-image`, keyed);
  expect((await retry()).status).toBe(409);
  await endLeases();
  const settled = await retry();
  expect([settled.status, await settled.json()]).toMatchObject([
    500,
    { code: "generation_failed" },
  ]);
  expect(await ledgerOf(app, person.email)).toHaveLength(3);
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
});

test("eight maintenance runs at once refund each abandoned generation once", async () => {
  const victim = await startVictim();
  const people = await Promise.all(Array.from({ length: 5 }, () => personWithCredits()));
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 60_000, times: 5 });
  for (const person of people) generate(victim, person.cookie());
  for (const { email } of people) await expect.poll(() => statusOf(email)).toBe("charged");
  await killAndWait(victim);
  await endLeases();
  const runs = await Promise.all(Array.from({ length: 8 }, () => runMaintenance(app.url)));
  const total = runs.reduce((sum, { generationsRefunded = 0 }) => sum + generationsRefunded, 0);
  expect(total).toBe(5);
  for (const { email } of people) expect(await ledgerOf(app, email)).toHaveLength(3);
  await expectSoundLedger(app);
});
