import { once } from "node:events";
import { readdirSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { beforeAll, expect, test, vi } from "vitest";
import { connectDb } from "~/db.server";
import { forgetEnv } from "~/env.server";
import { FACTS } from "~/models/upkeep/facts.server";
import { RATE_LIMITS } from "~/server/limits/rate-limit-rules";
import { PROCESS_GAUGES } from "~/server/metrics/process-gauges.server";
import { COUNTERS, HISTOGRAMS } from "~/utils/metrics.server";
import { freePort } from "../../../scripts/lib/free-port";
import { signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { METRICS_SECRET, scrape, sumOf } from "../../helpers/metrics";
import { startScript } from "../../helpers/run-script";
import { startTestServer, TEST_AUTH_SECRET } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ METRICS_SECRET, RATE_LIMIT_SCALE: "1", CRON_SECRET: "c".repeat(32) });

beforeAll(() => {
  process.env.DATABASE_URL = app.databaseUrl;
  process.env.AUTH_SECRET = TEST_AUTH_SECRET;
  process.env.NEXT_PUBLIC_SITE_URL = app.url;
  forgetEnv();
});

test("metrics are 404 without a secret, and 401 without it or with another bearer", async () => {
  const status = async (headers: Record<string, string>, url = app.url) =>
    (await fetch(`${url}/metrics`, { headers })).status;
  for (const sent of [
    "",
    "Bearer",
    `Bearer ${METRICS_SECRET}x`,
    METRICS_SECRET,
    `Bearer ${"c".repeat(32)}`,
  ])
    expect([sent, await status(sent ? { Authorization: sent } : {})]).toEqual([sent, 401]);
  const without = await startTestServer({ DATABASE_URL: app.databaseUrl });
  try {
    expect(await status({ Authorization: "Bearer " }, without.url)).toBe(404);
    expect(await status({ Authorization: `Bearer ${METRICS_SECRET}` }, without.url)).toBe(404);
  } finally {
    await without.stop();
  }
});

test("every metric is of the tables, and whatever visitors send, no label has more values than we named", async () => {
  const someone = await signUp(app.url);
  const sent = [
    "/en/files/3f1c9d0e-1111-4222-8333-444455556666/download",
    "/en/nobody@example.com",
    "/%00",
    "/x?y=<a>",
  ];
  for (const path of sent) {
    await someone.fetch(path, { redirect: "manual" });
    await fetch(app.url + path, { method: "PROPFIND", redirect: "manual" });
  }
  const flood = Array.from({ length: 15 }, () =>
    fetch(`${app.url}/en/sign-up`, {
      method: "POST",
      body: new URLSearchParams({ email: "x" }),
      headers: { Origin: app.url },
    }),
  );
  await Promise.all(flood);
  // One more than an address may send.
  const wrong = { Authorization: "Bearer rcs_live_nobody" };
  for (let n = 0; n <= RATE_LIMITS["wrong-key-address"].limit; n += 1)
    await fetch(`${app.url}/api/runs`, { headers: wrong });
  await expect
    .poll(async () => sumOf(await scrape(app.url), "rcs_http_requests_total", { method: "other" }))
    .toBe(sent.length);
  const samples = await scrape(app.url);
  const known = new Set([
    ...Object.keys(COUNTERS),
    ...Object.keys(HISTOGRAMS),
    ...Object.keys(FACTS),
    ...Object.keys(PROCESS_GAUGES),
    "rcs_facts_read",
    "rcs_processes_silent",
  ]);
  for (const { name } of samples) expect(known).toContain(name.replace(/_(bucket|sum|count)$/, ""));
  const files = readdirSync("app/routes").map((file) => file.replace(/(\.server)?\.tsx?$/, ""));
  for (const { labels } of samples) {
    expect(JSON.stringify(labels)).not.toMatch(/@|[0-9a-f]{8}-|%/);
    if (labels.route) expect(["$", ...files]).toContain(labels.route);
  }
  expect(
    sumOf(samples, "rcs_http_requests_total", { route: "$locale.sign-up", method: "POST" }),
  ).toBe(15);
  expect(sumOf(samples, "rcs_refusals_total", { limit: "wrong-key-address" })).toBe(1);
  expect(sumOf(samples, "rcs_facts_read")).toBe(1);
  expect(
    sumOf(samples, "rcs_http_request_duration_seconds_count", { route: "$locale.sign-up" }),
  ).toBeGreaterThanOrEqual(15);
});

test("facts count what waits, since when, and faults of the ledger that a sample shows", async () => {
  const { email } = await signUp(app.url);
  await giveCredits(app, email, 10);
  await app.sql(`INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status, received_at, next_attempt_at)
    VALUES ('stripe', 'id:1', 'x', '', 'failed', now() - interval '1 hour', now() + interval '1 day'),
      ('stripe', 'id:2', 'x', '', 'dead', now(), NULL)`);
  await app.sql(
    `INSERT INTO outbox_emails (kind, recipient, locale, next_attempt_at) VALUES ('verify_email', 'x@example.com', 'en', now() - interval '2 hours')`,
  );
  await app.sql(`UPDATE credit_accounts SET balance = balance + 1`);
  const response = await fetch(`${app.url}/api/cron/maintenance`, {
    headers: { Authorization: `Bearer ${"c".repeat(32)}` },
  });
  expect(response.status).toBe(200);
  let facts: Record<string, number> = {};
  const read = async () => {
    const samples = await scrape(app.url);
    facts = Object.fromEntries(
      samples.map(({ name, labels, value }) => [`${name}${Object.values(labels)}`, value]),
    );
    return facts;
  };
  // Facts are a second old at most.
  await expect.poll(read).toMatchObject({
    rcs_webhooks_unprocessed: 1,
    rcs_webhooks_dead: 1,
    rcs_ledger_faults: 1,
    rcs_emails_waiting: 1,
    rcs_maintenance_waitingemailsSent: 1,
    rcs_grants_late: 0,
    rcs_jobs_waitingemails: 0,
  });
  expect(facts.rcs_webhooks_oldest_unprocessed_seconds).toBeGreaterThanOrEqual(3600);
  expect(facts.rcs_emails_oldest_waiting_seconds).toBeGreaterThanOrEqual(7200);
  expect(facts.rcs_last_success_timestamp_secondsmaintenance).toBeGreaterThan(
    Date.now() / 1000 - 60,
  );
  expect(app.server.logs).toContainEqual(
    expect.objectContaining({ level: 50, rule: expect.any(String) }),
  );
});

/** Tables that stay short, or of which a fact reads the newest rows alone. */
const SHORT = [
  "figure_days",
  "job_runs",
  "webhook_rejections",
  "server_processes",
  "payment_returns",
  "credit_repairs",
  "stray_objects",
];

test.each(Object.entries(FACTS))(
  "%s reads no table from end to end, however long it is",
  async (_name, { rows }) => {
    const db = connectDb(app.databaseUrl, 1);
    try {
      const plan = await db.$transaction(async (transaction) => {
        await transaction.$executeRaw`SET LOCAL enable_seqscan = off`;
        const { text, values } = rows();
        return transaction.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
          `EXPLAIN ${text}`,
          ...values,
        );
      });
      const scans = plan.flatMap((row) => /Seq Scan on (\w+)/.exec(row["QUERY PLAN"])?.[1] ?? []);
      expect(scans.filter((table) => !SHORT.includes(table))).toEqual([]);
    } finally {
      await db.$disconnect();
    }
  },
);

/** On a connection of its own: `fetch` would stay with the process it knows. */
async function visit(url: string): Promise<void> {
  const request = get(`${url}/en/terms`, { agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
}

const pagesOf = async (url: string) =>
  sumOf(await scrape(url), "rcs_http_requests_total", { route: "$locale.terms" });

test("several processes are one: their counts are added, stay when one is killed, and a hung one is missed", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    WEB_CONCURRENCY: "2",
    METRICS_SECRET,
  });
  try {
    for (let page = 1; page <= 12; page += 1) await visit(server.url);
    const pids = [
      ...new Set(server.logs.filter(({ msg }) => msg === "request").map(({ pid }) => Number(pid))),
    ];
    expect(pids).toHaveLength(2);
    await expect.poll(() => pagesOf(server.url)).toBe(12);
    await expect.poll(async () => sumOf(await scrape(server.url), "rcs_processes")).toBe(2);
    const [victim = 0] = pids;
    process.kill(victim, "SIGKILL");
    await vi.waitUntil(
      () => server.logs.some(({ msg }) => `${msg}`.includes("will be replaced")),
      20_000,
    );
    expect(await pagesOf(server.url)).toBe(12);
    await visit(server.url);
    await expect.poll(() => pagesOf(server.url)).toBe(13);
    await expect.poll(async () => sumOf(await scrape(server.url), "rcs_processes")).toBe(2);
    const [, hung = 0] = pids;
    process.kill(hung, "SIGSTOP");
    try {
      // A connection that the hung process takes gets no response.
      const samples = await vi.waitUntil(
        async () => {
          const response = await fetch(`${server.url}/metrics`, {
            headers: { Authorization: `Bearer ${METRICS_SECRET}`, Connection: "close" },
            signal: AbortSignal.timeout(4_000),
          }).catch(() => null);
          return response?.ok ? response.text() : null;
        },
        { timeout: 40_000 },
      );
      expect(samples).toContain("rcs_processes_silent 1");
      expect(samples).toContain("rcs_processes 1");
    } finally {
      process.kill(hung, "SIGCONT");
    }
  } finally {
    await server.stop();
  }
}, 120_000);

test("a worker serves its own numbers and /healthz on METRICS_PORT, and not those of the database", async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const worker = startScript("scripts/worker.ts", [], {
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    NEXT_PUBLIC_SITE_URL: app.url,
    METRICS_SECRET,
    METRICS_PORT: `${port}`,
  });
  try {
    const healthz = () => fetch(`${url}/healthz`).catch(() => null);
    await expect.poll(async () => (await healthz())?.status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    expect((await fetch(`${url}/en`)).status).toBe(404);
    const samples = await scrape(url);
    expect(sumOf(samples, "rcs_processes")).toBe(1);
    const names = new Set(samples.map(({ name }) => name));
    for (const fact of Object.keys(FACTS)) expect(names).not.toContain(fact);
  } finally {
    worker.process.kill("SIGTERM");
  }
  expect(await worker.finished).toMatchObject({ code: 0 });
});
