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
    `SELECT run.id, status FROM metered_runs run JOIN users ON users.id = account_id WHERE email = $1`,
    [email],
  );
  return row;
};

const hasRequestId = async (email: string) => {
  const rows = await app.sql(
    `SELECT 1 FROM metered_runs JOIN users ON users.id = account_id
     WHERE email = $1 AND provider_request_id IS NOT NULL`,
    [email],
  );
  return rows.length === 1;
};

const statusOf = async (email: string) => (await generationOf(email))?.status;

async function killAndWait(victim: TestServer): Promise<void> {
  victim.process.kill("SIGKILL");
  await victim.stop();
}

/** Moves every lease into the past: `app` then looks after the runs. */
const endLeases = () =>
  app.sql("UPDATE metered_runs SET lease_until = now() - interval '1 second'");

async function expectRefundedOnce(email: string): Promise<void> {
  await endLeases();
  await expect.poll(() => statusOf(email), { timeout: 10_000 }).toBe("refunded");
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  expect(await ledgerOf(app, email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
    ["refund", COST],
  ]);
  await expectSoundLedger(app);
}

async function expectSuccess(email: string): Promise<void> {
  await endLeases();
  await expect.poll(() => statusOf(email), { timeout: 10_000 }).toBe("settled");
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  expect(await ledgerOf(app, email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
  ]);
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
  await expect.poll(() => statusOf(person.email)).toBe("reserved");
  await expectRefundedOnce(person.email);
});

test("killed while a provider without request ids works: refunded once, after the lease and not before", async () => {
  const victim = await startVictim({ IMAGE_PROVIDER: "openai" });
  const person = await personWithCredits();
  await app.images.order({ provider: "openai", fault: "slow", delayMs: 60_000 });
  generate(victim, person.cookie());
  await expect.poll(async () => (await app.images.calls()).openai.paid).toBe(1);
  await killAndWait(victim);
  expect(await runMaintenance(app.url)).toMatchObject({ generationsRefunded: 0 });
  expect(await statusOf(person.email)).toBe("reserved");
  await expectRefundedOnce(person.email);
});

test("killed while a request waits that a provider knows: the images come all the same", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 2_000 });
  generate(victim, person.cookie());
  await expect.poll(() => hasRequestId(person.email)).toBe(true);
  await killAndWait(victim);
  await expectSuccess(person.email);
  expect((await app.images.calls()).fal.paid).toBe(1);
});

test("past its deadline a run is refunded, and cancelled at its provider", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "hanging_poll" });
  generate(victim, person.cookie());
  await expect.poll(() => hasRequestId(person.email)).toBe(true);
  await killAndWait(victim);
  await app.sql("UPDATE metered_runs SET deadline_at = now() - interval '1 second'");
  await expectRefundedOnce(person.email);
  await expect.poll(async () => (await app.images.calls()).fal.cancel).toBe(1);
});

test("killed while the success is being written: it is written whole, and stays a success", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_000 });
  generate(victim, person.cookie());
  await expect.poll(() => statusOf(person.email)).toBe("reserved");
  const generation = await generationOf(person.email);
  const release = await holdRow("SELECT 1 FROM metered_runs WHERE id = $1 FOR UPDATE", [
    generation?.id,
  ]);
  await expect.poll(waitingForLocks, { timeout: 10_000 }).toBe(1);
  await killAndWait(victim);
  await release();
  await expect.poll(waitingForLocks).toBe(0);
  await expectSuccess(person.email);
});

test("killed after the success was written: it stays a success, and nothing is refunded", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  generate(victim, person.cookie());
  await expect.poll(() => statusOf(person.email)).toBe("settled");
  await killAndWait(victim);
  await expectSuccess(person.email);
});

test("a process that loses its database before the images are kept says so, and the run goes on", async () => {
  const person = await personWithCredits();
  await app.sql(`
    CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`);
  await app.sql(`CREATE TRIGGER lost BEFORE UPDATE OF settled_at ON metered_runs
    FOR EACH ROW EXECUTE FUNCTION lost()`);
  const undo = () => app.sql("DROP FUNCTION IF EXISTS lost CASCADE");
  onTestFinished(async () => void (await undo()));
  const told = await fetch(`${app.url}/api/generate-image`, request(person.cookie()));
  await undo();
  expect([told.status, told.headers.get("Retry-After")]).toEqual([503, "10"]);
  expect(await told.json()).toMatchObject({
    code: "run_delayed",
    runId: (await generationOf(person.email))?.id,
  });
  await expectSuccess(person.email);
  expect((await app.images.calls()).fal.paid).toBe(1);
});

test("a success that comes after the refund is not charged again", async () => {
  const slow = await startVictim({ IMAGE_PROVIDER: "openai" });
  const person = await personWithCredits();
  await app.images.order({ provider: "openai", fault: "slow", delayMs: 3_000 });
  const response = fetch(`${slow.url}/api/generate-image`, request(person.cookie()));
  await expect.poll(async () => (await app.images.calls()).openai.paid).toBe(1);
  await expectRefundedOnce(person.email);
  const late = await response;
  expect(late.status).toBe(500);
  expect(await late.json()).toMatchObject({ code: "generation_failed" });
  expect(await ledgerOf(app, person.email)).toHaveLength(3);
  await expectSoundLedger(app);
});

test("a process that comes back to a run which another one settled changes nothing", async () => {
  const frozen = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_500 });
  const response = fetch(`${frozen.url}/api/generate-image`, request(person.cookie()));
  await expect.poll(() => hasRequestId(person.email)).toBe(true);
  frozen.process.kill("SIGSTOP");
  await expectSuccess(person.email);
  frozen.process.kill("SIGCONT");
  expect((await response).status).toBe(200);
  expect((await app.images.calls()).fal.paid).toBe(1);
  await expectSuccess(person.email);
});

test("a retry under the same key after a crash finds the run, and its images once they are there", async () => {
  const victim = await startVictim();
  const person = await personWithCredits();
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 4_000 });
  const keyed = request(person.cookie(), { "Idempotency-Key": "retry" });
  fetch(`${victim.url}/api/generate-image`, keyed).catch(() => undefined);
  await expect.poll(() => hasRequestId(person.email)).toBe(true);
  await killAndWait(victim);
  const retry = () => fetch(`${app.url}/api/generate-image`, keyed);
  expect((await retry()).status).toBe(409);
  await expectSuccess(person.email);
  const replayed = await retry();
  expect([replayed.status, await replayed.json()]).toMatchObject([200, { creditsCharged: COST }]);
  expect(await ledgerOf(app, person.email)).toHaveLength(2);
});

test("eight maintenance runs at once refund each abandoned generation once", async () => {
  const victim = await startVictim({ IMAGE_PROVIDER: "openai" });
  const people = await Promise.all(Array.from({ length: 5 }, () => personWithCredits()));
  await app.images.order({ provider: "openai", fault: "slow", delayMs: 60_000, times: 5 });
  for (const person of people) generate(victim, person.cookie());
  await expect.poll(async () => (await app.images.calls()).openai.paid).toBe(5);
  await killAndWait(victim);
  await endLeases();
  await Promise.all(Array.from({ length: 8 }, () => runMaintenance(app.url)));
  for (const { email } of people) {
    expect(await statusOf(email)).toBe("refunded");
    expect(await ledgerOf(app, email)).toHaveLength(3);
  }
  await expectSoundLedger(app);
});
