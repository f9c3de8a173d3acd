import { readFileSync } from "node:fs";
import { connect } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { runScript } from "../../helpers/run-script";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const ROWS = 40_000;
const PROMPT_BYTES = 4000;

/** Creates a user with 40,000 generations, whose prompts alone are 160 MB. */
async function personWithMuch() {
  const person = await signUp(app.url);
  await app.sql(
    `INSERT INTO image_generations (user_id, request_hash, prompt, n, size, cost, status, lease_until, created_at)
     SELECT id, 'x', rpad(n::text, ${PROMPT_BYTES}, 'x'), 1, 'square', 10, 'refunded', now(),
            now() - interval '1 day' + n * interval '1 microsecond'
     FROM users, generate_series(1, ${ROWS}) n WHERE email = $1`,
    [person.email],
  );
  return person;
}

test("the export has every row once, in the order of time, however many there are", async () => {
  const person = await signUp(app.url);
  await app.sql(
    `INSERT INTO files (user_id, key, filename, content_type, size, status, created_at)
     SELECT id, 'many-' || n, n || '.png', 'image/png', 1, 'confirmed', now() - interval '1 hour'
     FROM users, generate_series(1, 1000) n WHERE email = $1`,
    [person.email],
  );
  await app.sql(
    `INSERT INTO orders (user_id, provider, provider_checkout_id, sku_key, credits, amount, currency, status)
     SELECT id, 'stripe', 'cs_many_' || n, 'credits_small', 100, 500, 'usd', 'paid'
     FROM users, generate_series(1, 450) n WHERE email = $1`,
    [person.email],
  );
  for (let count = 0; count < 450; count++) await giveCredits(app, person.email, 1);
  const account = await (await person.fetch("/en/account/export")).json();
  const ids = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id)).size;
  expect([account.files.length, ids(account.files)]).toEqual([1000, 1000]);
  expect([account.orders.length, ids(account.orders)]).toEqual([450, 450]);
  const { balance, transactions } = account.credits;
  expect([balance, transactions.length, ids(transactions)]).toEqual([450, 450, 450]);
  expect(transactions.at(-1).balanceAfter).toBe(balance);
});

test("the export has every repair of the account, and not the operator's name", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 50);
  await app.sql(
    `UPDATE credit_accounts SET balance = 60
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [person.email],
  );
  const reason = "balance raised by SQL on 3 May";
  const { code } = await runScript(
    "scripts/ledger/ledger.command.ts",
    ["repair", person.email, "--apply", "--reason", reason],
    { DATABASE_URL: app.databaseUrl, USER: "operator-of-the-shop" },
  );
  expect(code).toBe(0);
  const text = await (await person.fetch("/en/account/export")).text();
  expect(JSON.parse(text).credits).toMatchObject({
    balance: 50,
    repairs: [{ field: "balance", before: "60", after: "50", transactionId: null, reason }],
  });
  const [repair] = await app.sql<{ operator: string }>(
    "SELECT operator FROM credit_repairs WHERE reason = $1",
    [reason],
  );
  expect(repair?.operator).toBeTruthy();
  expect(text).not.toContain(`"${repair?.operator}"`);
  expect(text).not.toContain('"operator"');
});

test.runIf(process.platform === "linux")(
  "an export of 160 MB needs memory for one page of rows and unsent data only",
  async () => {
    const person = await personWithMuch();
    await (await (await signUp(app.url)).fetch("/en/account/export")).text();
    const before = peakMegabytes();
    const account = await (await person.fetch("/en/account/export")).json();
    expect(account.generations).toHaveLength(ROWS);
    const numbers = account.generations.map(({ prompt }: { prompt: string }) =>
      parseInt(prompt, 10),
    );
    expect(numbers).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
    expect(peakMegabytes() - before).toBeLessThan(130);
  },
);

test("an unread download waits, and an aborted download stops querying", async () => {
  const person = await personWithMuch();
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET /en/account/export HTTP/1.1\r\nHost: ${host}\r\nCookie: ${person.cookie()}\r\n\r\n`,
  );
  // It waits if thirty checks in a row saw no query for another page of rows.
  let seen = "";
  let still = 0;
  const looksWithoutMore = async () => {
    const [last] = await app.sql<{ at: string }>(
      `SELECT max(query_start)::text AS at FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%AS place FROM image_generations%'`,
    );
    still = last?.at && last.at === seen ? still + 1 : 0;
    seen = last?.at ?? "";
    return still;
  };
  await expect.poll(looksWithoutMore, { interval: 20 }).toBeGreaterThan(30);

  // From here on, every query for another page of rows would visibly wait for this lock.
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; LOCK TABLE image_generations IN ACCESS EXCLUSIVE MODE");
  socket.destroy();
  const ended = () =>
    app.server.logs.find(({ path, aborted }) => path === "/en/account/export" && aborted === true);
  await expect.poll(ended).toBeDefined();
  // A page that reads no generations.
  await person.fetch("/en/account/profile");
  const waiting = await holder.query(
    `SELECT query FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expect(waiting.rows).toEqual([]);
});

/** Returns the server's peak memory in megabytes. */
function peakMegabytes(): number {
  const status = readFileSync(`/proc/${app.server.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
