import { expect, test } from "vitest";
import { describeSchema } from "../../../scripts/db/catalog";
import type { Check } from "../../../scripts/preflight/check";
import { judgeClock } from "../../../scripts/preflight/database-checks";
import { STORAGE, STRIPE } from "../../fixtures/preflight";
import { PLAN, PLAN_MONTHLY, priceVariable, TOP_PLAN } from "../../fixtures/sold";
import { findTable, openSession } from "../../helpers/migrations";
import { check, judge, SUBSCRIPTIONS, standIn } from "../../helpers/preflight-database";
import { createEmptyDatabase, createTestDatabase } from "../../helpers/test-database";

const USER = "00000000-0000-4000-8000-00000000000a";
const createUser = `INSERT INTO users (id, email) VALUES ('${USER}', 'a@example.com')`;
const grant = (source: string, balance: number) =>
  `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining)
   VALUES ('${USER}', 'grant', 10, ${balance}, '${source}', 10)`;

test("a migrated database passes, and nothing in it changes", async () => {
  const databaseUrl = await createTestDatabase();
  const before = await describeSchema(await openSession(databaseUrl));
  const checks = await check(databaseUrl);
  expect(checks.filter(({ status }) => status === "fail" || status === "warn")).toEqual([]);
  expect(checks[0]).toMatchObject({
    id: "database.connection",
    message: expect.stringMatching(/^connected to test_\w+ on PostgreSQL \d+/),
  });
  expect(await describeSchema(await openSession(databaseUrl))).toEqual(before);
});

test("more connections than PostgreSQL takes are named, with the sum", async () => {
  const few = await judge([], { DATABASE_POOL_SIZE: "5" });
  expect(few.statusOf("database.connections")).toBe("pass");
  const many = await judge([], { DATABASE_POOL_SIZE: "100", WEB_CONCURRENCY: "8" });
  expect(many.statusOf("database.connections")).toBe("warn");
  expect(many.messageOf("database.connections")).toContain("8 × (100 + 3) + 10 = 834");
});

test("live subscriptions at prices that sell no plan, and new unsold lines, are named", async () => {
  const subscribe = (id: string, price: string | null, status: string) =>
    `INSERT INTO subscriptions (user_id, provider, provider_subscription_id, provider_price_id, plan_key, period, status)
     VALUES ('${USER}', 'stripe', '${id}', ${price === null ? "NULL" : `'${price}'`}, '${PLAN.planKey}', 'month', '${status}')`;
  const line = (id: string, heardAt: string) =>
    `INSERT INTO unsold_lines (provider, invoice, line, subscription, heard_at)
     VALUES ('stripe', 'in_1', '${id}', 'sub_1', ${heardAt})`;
  const sold = [
    createUser,
    subscribe("sub_1", "price_starter", "active"),
    subscribe("sub_2", null, "active"),
    subscribe("sub_3", "price_old", "canceled"),
    line("il_1", "now() - interval '31 days'"),
  ];
  const source = { ...STRIPE, [priceVariable(PLAN_MONTHLY)]: "price_starter" };
  expect((await judge(sold, source)).statusOf("payments.unsold")).toBe("pass");
  const unsold = [...sold, subscribe("sub_4", "price_old", "past_due"), line("il_2", "now()")];
  const { statusOf, messageOf } = await judge(unsold, source);
  expect(statusOf("payments.unsold")).toBe("warn");
  expect(messageOf("payments.unsold")).toContain("stripe price_old (1)");
  expect(messageOf("payments.unsold")).toContain("1 invoice line of the last 30 days");
});

test("an empty database has everything pending, and gets no table", async () => {
  const databaseUrl = await createEmptyDatabase();
  const checks = await check(databaseUrl);
  expect(checks.filter(({ status }) => status === "fail")).toEqual([
    expect.objectContaining({
      id: "database.migrations",
      message: expect.stringMatching(/^pending: 0001_init\.sql, 0002_credits\.sql/),
    }),
  ]);
  expect(await findTable(databaseUrl, "app_migrations")).toBeNull();
});

test.each<[what: string, sql: string, message: RegExp]>([
  [
    "edited",
    "UPDATE app_migrations SET checksum = 'x' WHERE name = '0001_init.sql'",
    /^edited .*: 0001_init\.sql$/,
  ],
  [
    "missing",
    "INSERT INTO app_migrations VALUES ('0000_gone.sql', 'x')",
    /^applied, and not in .*: 0000_gone\.sql$/,
  ],
  [
    "pending",
    "DELETE FROM app_migrations WHERE name = '0002_credits.sql'",
    /^pending: 0002_credits\.sql$/,
  ],
])("a migration that is %s fails", async (_what, sql, message) => {
  const { fails, messageOf } = await judge([sql]);
  expect(fails).toEqual(["database.migrations"]);
  expect(messageOf("database.migrations")).toMatch(message);
});

test("an index that a concurrent build left invalid fails", async () => {
  const { fails, messageOf } = await judge([
    "CREATE INDEX left_over ON users (name)",
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'left_over'::regclass",
  ]);
  expect(fails).toEqual(["database.migrations"]);
  expect(messageOf("database.migrations")).toContain("index left_over is invalid");
});

test("duplicate rows of one credit source fail once their index is gone, in the ledger too", async () => {
  const { fails, messageOf } = await judge([
    createUser,
    "DROP INDEX credit_transactions_source_key",
    `INSERT INTO credit_accounts (user_id, balance) VALUES ('${USER}', 20)`,
    grant("order:stripe:cs_1", 10),
    grant("order:stripe:cs_1", 20),
  ]);
  expect(fails).toEqual(["database.duplicate-credit-sources", "ledger.invariants"]);
  expect(messageOf("database.duplicate-credit-sources")).toContain(
    "1 credit source has more than one row in credit_transactions",
  );
  expect(messageOf("database.duplicate-credit-sources")).toContain("order:stripe:cs_1");
});

test("a missing unique index fails even without duplicate rows", async () => {
  const { fails, messageOf } = await judge(["DROP INDEX credit_transactions_source_key"]);
  expect(fails).toEqual(["database.duplicate-credit-sources"]);
  expect(messageOf("database.duplicate-credit-sources")).toBe(
    "credit_transactions has no unique index on (source), so nothing enforces its rules",
  );
});

test.each([
  ["subscriptions", "provider_subscription_id", "database.duplicate-subscriptions"],
  ["orders", "provider_checkout_id", "database.duplicate-orders"],
  ["webhook_inbox", "dedupe_key", "database.duplicate-webhook-events"],
])("duplicate rows of %s fail, and rows with a NULL don't count", async (table, key, id) => {
  const columns = `provider text, ${key} text, status text, created_at timestamptz, received_at timestamptz, filler int, user_id uuid, cancel_at_period_end bool, provider_customer_id text, provider_price_id text`;
  const { fails, messageOf } = await judge([
    ...standIn(table, columns),
    `INSERT INTO ${table} (provider, ${key}) VALUES ('stripe', 'x_1'), ('stripe', 'x_1'), ('creem', 'x_1'),
       ('creem', NULL), ('creem', NULL)`,
    `INSERT INTO ${table} (provider, ${key}) SELECT 'creem', 'y_' || n % 10 FROM generate_series(1, 20) n`,
    // Neither a partial index nor one on more columns enforces the rule.
    `CREATE UNIQUE INDEX ON ${table} (provider, ${key}) WHERE filler > 0`,
    `CREATE UNIQUE INDEX ON ${table} (provider, ${key}, filler)`,
  ]);
  // Other checks read orders and subscriptions, too, and these have lost their columns.
  const others =
    table === "webhook_inbox" ? [] : ["ledger.invariants", "payments.deleted-accounts"];
  const ofOrders = table === "orders" ? ["payments.returns"] : [];
  expect(fails).toEqual([id, ...others, ...ofOrders]);
  expect(messageOf(id)).toMatch(/^11 .*: creem y_0, creem y_1, creem y_2; /);
});

test("a unique index on the key is accepted in any order of columns", async () => {
  const { statusOf } = await judge([
    ...standIn("webhook_inbox", "dedupe_key text, provider text, UNIQUE (dedupe_key, provider)"),
  ]);
  expect(statusOf("database.duplicate-webhook-events")).toBe("pass");
});

test("a balance that does not add up fails, with the user and the numbers", async () => {
  const { fails, messageOf } = await judge([
    createUser,
    `INSERT INTO credit_accounts (user_id, balance) VALUES ('${USER}', 7)`,
    grant("signup:a", 10),
  ]);
  expect(fails).toEqual(["ledger.invariants"]);
  expect(messageOf("ledger.invariants")).toContain(
    `balance of user ${USER}: balance 7, amounts sum to 10, lots hold 10`,
  );
});

test("private files fail where their bucket is exposed, and only there", async () => {
  const file = [
    createUser,
    `INSERT INTO files (user_id, key, filename, content_type, size)
     VALUES ('${USER}', 'private/a', 'a.png', 'image/png', 1)`,
  ];
  const exposed = { ...STORAGE, S3_PRIVATE_BUCKET_NAME: "" };
  expect((await judge(file, exposed)).fails).toEqual(["storage.private-files"]);
  expect((await judge([], exposed)).statusOf("storage.private-files")).toBe("pass");
  expect((await judge(file, STORAGE)).statusOf("storage.private-files")).toBe("skip");
});

test("live subscriptions at the other provider are counted, those that are over are not", async () => {
  const rows = [
    ["creem", "trialing"],
    ["creem", "active"],
    ["creem", "past_due"],
    ["creem", "canceled"],
    ["creem", "expired"],
    ["creem", "incomplete"],
    ["stripe", "active"],
  ].map(([provider, status], at) => `('${provider}', 'sub_${at}', '${status}')`);
  const statements = [...SUBSCRIPTIONS, `INSERT INTO subscriptions VALUES ${rows.join(", ")}`];
  const active = await judge(statements, STRIPE);
  expect(active.warns).toEqual(expect.arrayContaining(["payments.inactive-provider"]));
  expect(active.messageOf("payments.inactive-provider")).toBe(
    "3 live subscriptions at creem, which is not the active provider: webhooks about them are refused",
  );
  const off = await judge(statements);
  expect(off.messageOf("payments.inactive-provider")).toMatch(/^3 live .*; 1 live .* at stripe/);
});

const subscriber = (since: string) => [
  createUser,
  `INSERT INTO subscriptions (user_id, provider, provider_subscription_id, plan_key, period, status, created_at)
   VALUES ('${USER}', 'stripe', 'sub_1', '${TOP_PLAN.planKey}', 'month', 'active', now() - interval '${since}')`,
];
const ranBefore = (hours: number, ok: boolean, job = "subscription-credits") =>
  `INSERT INTO job_runs (job, started_at, finished_at, ok)
   VALUES ('${job}', now() - interval '${hours + 1} hours', now() - interval '${hours} hours', ${ok})`;

test.each<[when: string, statements: string[], status: Check["status"]]>([
  ["never, and nobody is subscribed", [], "skip"],
  ["never, and the first subscribed today", subscriber("2 hours"), "skip"],
  ["never, and somebody subscribed two days ago", subscriber("2 days"), "warn"],
  ["27 hours ago", [...subscriber("2 days"), ranBefore(27, true)], "warn"],
  [
    "27 hours ago, and badly since",
    [
      ...subscriber("2 days"),
      ranBefore(27, true),
      ranBefore(3, false),
      ranBefore(0, true, "maintenance"),
    ],
    "warn",
  ],
  ["25 hours ago", [...subscriber("2 days"), ranBefore(25, true)], "pass"],
])("the daily job ended well %s", async (_when, statements, status) => {
  const { statusOf } = await judge(statements, STRIPE);
  expect(statusOf("cron.daily-job")).toBe(status);
});

test.each<[when: string, job: string, status: Check["status"]]>([
  ["for 16 minutes", "now() - interval '16 minutes'", "warn"],
  ["for a minute", "now() - interval '1 minute'", "pass"],
  ["until its time", "now() + interval '1 hour'", "pass"],
])("a job that waits %s", async (_when, startAfter, status) => {
  const job = `INSERT INTO pgboss.job (name, start_after) VALUES ('emails', ${startAfter})`;
  const { statusOf } = await judge([job], STRIPE);
  expect(statusOf("cron.waiting-jobs")).toBe(status);
});

test("checks that throw fail alone, and the others still run", async () => {
  const { fails, messageOf, statusOf } = await judge(standIn("orders", "id int"));
  expect(fails).toEqual([
    "database.duplicate-orders",
    "ledger.invariants",
    "payments.deleted-accounts",
    "payments.returns",
  ]);
  expect(messageOf("database.duplicate-orders")).toBe('column "provider" does not exist');
  expect(statusOf("database.duplicate-subscriptions")).toBe("pass");
});

test("without a connection one check fails, and the others say why they were skipped", async () => {
  const reachable = new URL(await createTestDatabase());
  for (const change of [{ port: "1" }, { password: "wrong" }, { pathname: "/nowhere" }]) {
    const url = new URL(reachable);
    Object.assign(url, change);
    const checks = await check(url.href);
    const [failed, ...rest] = checks.toSorted((a, b) => a.status.localeCompare(b.status));
    expect(failed).toMatchObject({ id: "database.connection", status: "fail" });
    expect(failed?.message).toMatch(/^cannot connect to postgresql:\/\/\*\*\*@/);
    for (const { status, message } of rest)
      expect([status, message]).toEqual(["skip", "there is no database connection"]);
  }
});

test("a database that can only be read fails", async () => {
  const databaseUrl = await createTestDatabase();
  const session = await openSession(databaseUrl);
  const name = new URL(databaseUrl).pathname.slice(1);
  await session.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const failed = (await check(databaseUrl)).filter(({ status }) => status === "fail");
  expect(failed).toEqual([
    expect.objectContaining({
      id: "database.connection",
      message: `${name} is read-only: it is a replica, or set to read-only`,
    }),
  ]);
});

test("the clock check allows for the time of the round trip", () => {
  const statusAt = (database: number) => judgeClock(database, 1_000_000, 1_000_400).status;
  expect([1_000_200, 995_100, 1_005_300].map(statusAt)).toEqual(["pass", "pass", "pass"]);
  expect([994_900, 1_005_500].map(statusAt)).toEqual(["warn", "warn"]);
  expect([849_000, 1_151_000].map(statusAt)).toEqual(["fail", "fail"]);
});
