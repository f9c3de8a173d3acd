import { expect, test } from "vitest";
import { MAINTENANCE_LIMITS } from "~/models/upkeep/maintenance-limits";
import { METRICS_SECRET } from "../../helpers/metrics";
import { runScript } from "../../helpers/run-script";
import { startTestServer, TEST_AUTH_SECRET } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const CRON_SECRET = "cron-secret-for-tests-only";
const app = withTestServer({ METRICS_SECRET, CRON_SECRET });
const asOperator = { headers: { Authorization: `Bearer ${CRON_SECRET}` } };

const status = (args: string[] = [], env: Record<string, string> = {}) =>
  runScript("scripts/status/status.command.ts", ["--url", app.url, ...args], {
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    NEXT_PUBLIC_SITE_URL: app.url,
    METRICS_SECRET,
    ...env,
  });

const readyz = async () => {
  // A probe's result is reused for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  return (await (await fetch(`${app.url}/readyz`, asOperator)).json()) as Record<string, unknown>;
};

test("after a run of maintenance nothing is overdue, and each of the eleven questions has its answer", async () => {
  expect((await fetch(`${app.url}/api/cron/maintenance`, asOperator)).status).toBe(200);
  const screen = await status();
  expect(screen.stderr).toBe("");
  expect(screen.code, screen.stdout).toBe(0);
  for (let question = 1; question <= 11; question += 1)
    expect(screen.stdout).toMatch(new RegExp(`^ ?${question}\\. .+\\?\\n    \\S`, "m"));
  expect(screen.stdout).toContain("Nothing is overdue.");
  expect(screen.stdout).toMatch(/requests since the last start/);
  const { stdout } = await status(["--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    problems: [],
    processes: { servers: 1, working: 1, sameSecret: true },
  });
  const { maintenance } = await readyz();
  expect(maintenance).toMatchObject({
    overdue: false,
    failedTasks: [],
    lastSuccessAt: expect.any(String),
  });
});

test("without the metrics' secret it says so, and answers the rest", async () => {
  const screen = await status([], { METRICS_SECRET: "" });
  expect(screen.code).toBe(0);
  expect(screen.stdout).toContain("set METRICS_SECRET on it and here");
});

test("what is overdue, failed or behind is named, with exit code 1", async () => {
  const limit = MAINTENANCE_LIMITS.rateLimitsRemoved;
  await app.sql(`UPDATE job_runs SET started_at = started_at - interval '1 hour', finished_at = finished_at - interval '1 hour';
    INSERT INTO job_runs (job, finished_at, ok, failed) VALUES ('maintenance', clock_timestamp(), false, '{filesRemoved}');
    INSERT INTO job_runs (job, started_at, finished_at, ok) VALUES ('backup', now() - interval '3 days', now() - interval '3 days', true);
    INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status, received_at)
      VALUES ('stripe', 'id:late', 'x', '', 'failed', now() - interval '2 hours'), ('stripe', 'id:dead', 'x', '', 'dead', now());
    INSERT INTO rate_limits SELECT 'x:' || n, 1, now() - interval '1 minute' FROM generate_series(1, ${limit + 5}) n`);
  const { stdout, code } = await status();
  expect(code).toBe(1);
  for (const said of [
    "Maintenance has not succeeded for 15 minutes",
    "These tasks failed in its last run: filesRemoved",
    "The last backup is older than 36 hours",
    "A payment event has waited for more than 15 minutes",
    "1 payment event used up the attempts",
    `${(limit + 5).toLocaleString("en")} rows wait for rateLimitsRemoved, and one run does ${limit}`,
  ])
    expect(stdout).toContain(said);
  expect(await readyz()).toMatchObject({
    status: "ready",
    maintenance: { overdue: true, failedTasks: ["filesRemoved"] },
  });
  expect(JSON.stringify(await (await fetch(`${app.url}/readyz`)).json())).not.toContain(
    "maintenance",
  );
});

test("processes with different secrets are told, by /readyz, the status and the preflight, and no secret is readable", async () => {
  const other = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: "another-secret-of-at-least-32-characters",
    WORKER: "off",
  });
  try {
    await expect
      .poll(async () => (await readyz()).processes, { timeout: 10_000 })
      .toMatchObject({ servers: 2, working: 1, sameSecret: false, sameVersion: true });
    const { stdout, code } = await status();
    expect(code).toBe(1);
    expect(stdout).toContain("Processes have different AUTH_SECRETs");
    const rows = await app.sql<{ fingerprint: string; version: string }>(
      "SELECT * FROM server_processes",
    );
    for (const { fingerprint, version } of rows) {
      expect(fingerprint).toMatch(/^[0-9a-f]{8}$/);
      expect(version).toMatch(/^\d+\.\d+\.\d+\S*, .*build [0-9a-f]{10}$/);
    }
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(2);
    const preflight = await runScript(
      "scripts/preflight/preflight.command.ts",
      ["--json", "--skip", "code.types"],
      {
        DATABASE_URL: app.databaseUrl,
        AUTH_SECRET: TEST_AUTH_SECRET,
        NEXT_PUBLIC_SITE_URL: app.url,
      },
    );
    const { checks } = JSON.parse(preflight.stdout) as { checks: { id: string; status: string }[] };
    expect(checks.find(({ id }) => id === "cron.processes")?.status).toBe("fail");
    expect(checks.find(({ id }) => id === "cron.maintenance")?.status).toBe("warn");
  } finally {
    await other.stop();
  }
  // A process that stops takes its row with it; one that was killed is swept.
  expect(await app.sql("SELECT 1 FROM server_processes")).toHaveLength(1);
  await app.sql(
    "INSERT INTO server_processes (kind, host, pid, works, version, fingerprint, seen_at) VALUES ('server', 'gone', 1, true, 'x', 'y', now() - interval '2 hours')",
  );
  await fetch(`${app.url}/api/cron/maintenance`, asOperator);
  expect(await app.sql("SELECT 1 FROM server_processes")).toHaveLength(1);
});
