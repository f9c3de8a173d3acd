import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { freePort } from "../../scripts/lib/free-port";
import { signUp } from "../helpers/client";
import { METRICS_SECRET, scrape } from "../helpers/metrics";
import { dashboardQueries, type Rule } from "../helpers/observability";
import { hasProgram, runProgram } from "../helpers/program";
import { withTestServer } from "../helpers/with-test-server";

// Debian's package `prometheus` has both programs: apt-get install -y prometheus.
const hasPrometheus = hasProgram("promtool") && hasProgram("prometheus");
if (!hasPrometheus)
  console.info(
    "promtool and prometheus are not installed here: alert rules and dashboard are NOT checked",
  );

const ALERTS = path.resolve("docs/observability/alerts.yml");
const RULES = (
  parse(readFileSync(ALERTS, "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap(({ rules }) => rules);

type Series = Record<string, string>;

const runs = (refunded: string, settled: string): Series => ({
  'rcs_runs_total{action="image",outcome="refunded"}': refunded,
  'rcs_runs_total{action="image",outcome="settled"}': settled,
});

/** A service that is well, a value a minute for two hours. */
const WELL: Series = {
  'up{job="credits",instance="a"}': "1x120",
  'rcs_log_lines_total{level="error"}': "0x120",
  'rcs_http_requests_total{route="x",status="200"}': "0+600x120",
  'rcs_http_request_duration_seconds_bucket{route="x",le="0.1"}': "0+600x120",
  'rcs_http_request_duration_seconds_bucket{route="x",le="+Inf"}': "0+600x120",
  'rcs_webhooks_total{outcome="failed"}': "0x120",
  'rcs_maintenance_waiting{task="filesRemoved"}': "10x120",
  'rcs_maintenance_limit{task="filesRemoved"}': "200x120",
  'rcs_last_success_timestamp_seconds{work="maintenance"}': "0+60x120",
  'rcs_last_success_timestamp_seconds{work="backup"}': "0x120",
  'rcs_jobs_oldest_waiting_seconds{kind="emails"}': "0x120",
  'rcs_jobs_failed{kind="emails"}': "0x120",
  ...runs("0+1x120", "0+60x120"),
  rcs_facts_read: "1x120",
  rcs_processes_silent: "0x120",
  rcs_started_timestamp_seconds: "1x120",
  rcs_database_pool_waiting: "0x120",
  rcs_event_loop_delay_p99_seconds: "0.02x120",
  rcs_webhooks_oldest_unprocessed_seconds: "10x120",
  rcs_webhooks_suspicious: "0x120",
  rcs_webhooks_dead: "0x120",
  rcs_grants_late: "0x120",
  rcs_runs_past_deadline: "0x120",
  rcs_emails_oldest_waiting_seconds: "20x120",
  rcs_emails_given_up: "0x120",
  rcs_ledger_faults: "0x120",
  rcs_process_secrets: "1x120",
  rcs_process_versions: "1x120",
};

/** What differs from that when an alert has to fire. */
const ILL: Record<string, Series> = {
  ServerDown: { 'up{job="credits",instance="a"}': "1x60 0x60" },
  ServerRestarts: { rcs_started_timestamp_seconds: "0+60x120" },
  ProcessHangs: { rcs_processes_silent: "0x60 1x60" },
  DatabaseSilent: { rcs_facts_read: "1x60 0x60" },
  ErrorLines: { 'rcs_log_lines_total{level="error"}': "0x115 1x5" },
  ManyFailures: { 'rcs_http_requests_total{route="x",status="500"}': "0+30x120" },
  Slow: {
    'rcs_http_request_duration_seconds_bucket{route="x",le="0.1"}': "0+300x120",
    'rcs_http_request_duration_seconds_bucket{route="x",le="5"}': "0+600x120",
  },
  PoolFull: { rcs_database_pool_waiting: "0x60 4x60" },
  EventLoopLate: { rcs_event_loop_delay_p99_seconds: "0.02x60 0.9x60" },
  WebhooksFail: { 'rcs_webhooks_total{outcome="failed"}': "0x115 1x5" },
  WebhooksRefused: { rcs_webhooks_suspicious: "0x60 1x60" },
  WebhooksDead: { rcs_webhooks_dead: "0x60 1x60" },
  GrantsLate: { rcs_grants_late: "0x60 1x60" },
  MaintenanceStopped: {
    'rcs_last_success_timestamp_seconds{work="maintenance"}': "0+60x60 3600x60",
  },
  MaintenanceTaskFails: { 'rcs_maintenance_failed_task{task="filesRemoved"}': "1x120" },
  Backlog: { 'rcs_maintenance_waiting{task="filesRemoved"}': "700x120" },
  RunsStuck: { rcs_runs_past_deadline: "0x60 1x60" },
  RunsFail: runs("0+30x120", "0+60x120"),
  JobsWait: { 'rcs_jobs_oldest_waiting_seconds{kind="emails"}': "0+60x120" },
  JobsFailed: { 'rcs_jobs_failed{kind="emails"}': "0x60 1x60" },
  EmailsLate: { rcs_emails_oldest_waiting_seconds: "0+60x120" },
  EmailsGivenUp: { rcs_emails_given_up: "0x60 11x60" },
  LedgerFault: { rcs_ledger_faults: "0x60 1x60" },
  ProcessesDiffer: { rcs_process_secrets: "1x60 2x60" },
  VersionsDiffer: { rcs_process_versions: "1x30 2x90" },
  // 36 hours after a backup at the first minute.
  BackupLate: { 'rcs_last_success_timestamp_seconds{work="backup"}': "1x3000" },
};

const MINUTES = 120;

/** A test of promtool: with these series, how many alerts of this name fire at the end? */
function scenario(
  series: Series,
  { alert, fires, minutes = MINUTES }: { alert: string; fires: boolean; minutes?: number },
) {
  const all = { ...WELL, ...series };
  return {
    interval: "1m",
    name: alert,
    input_series: Object.entries(all).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `(count(ALERTS{alertname=~"${alert}",alertstate="firing"}) or vector(0)) > bool 0`,
        eval_time: `${minutes}m`,
        exp_samples: [{ labels: "{}", value: fires ? 1 : 0 }],
      },
    ],
  };
}

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

test.skipIf(!hasPrometheus)(
  "promtool takes the rules; each alert fires when it should, and none while all is well",
  () => {
    expect(promtool("check", "rules", ALERTS)).toContain(`${RULES.length} rules found`);
    expect(Object.keys(ILL).sort()).toEqual(RULES.map(({ alert }) => alert).sort());
    const tests = [
      scenario({}, { alert: ".+", fires: false }),
      ...Object.entries(ILL).map(([alert, series]) =>
        scenario(series, { alert, fires: true, minutes: alert === "BackupLate" ? 2_400 : MINUTES }),
      ),
    ];
    const folder = mkdtempSync(path.join(tmpdir(), "rules-"));
    const file = path.join(folder, "tests.yml");
    writeFileSync(file, stringify({ rule_files: [ALERTS], evaluation_interval: "1m", tests }));
    expect(promtool("test", "rules", file)).toContain("SUCCESS");
  },
);

const app = withTestServer({ METRICS_SECRET });

test.skipIf(!hasPrometheus)(
  "a Prometheus that scrapes the server has data for the dashboard, and evaluates every rule",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "prometheus-"));
    const port = await freePort();
    writeFileSync(path.join(folder, "secret"), METRICS_SECRET);
    const config = path.join(folder, "prometheus.yml");
    writeFileSync(
      config,
      stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: [ALERTS],
        scrape_configs: [
          {
            job_name: "credits",
            authorization: { credentials_file: path.join(folder, "secret") },
            static_configs: [{ targets: [new URL(app.url).host] }],
          },
        ],
      }),
    );
    const url = `http://127.0.0.1:${port}`;
    await runProgram(
      "prometheus",
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      port,
    );
    const visitor = await signUp(app.url);
    const ask = async (query: string) => {
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`);
      return (await response.json()) as {
        status: string;
        error?: string;
        data: { result: unknown[] };
      };
    };
    await vi.waitUntil(
      async () => {
        await visitor.fetch("/en/account");
        return (
          await ask('rate(rcs_http_requests_total{route="$locale.account._index"}[5m]) > 0').catch(
            () => null,
          )
        )?.data?.result.length;
      },
      { timeout: 60_000, interval: 500 },
    );
    const known = new Set((await scrape(app.url)).map(({ name }) => name));
    for (const query of dashboardQueries()) {
      const { status, error, data } = await ask(query);
      expect([query, status, error]).toEqual([query, "success", undefined]);
      const names = query.match(/\brcs_[a-z0-9_]+/g) ?? [];
      const isFiltered = query.includes("5..");
      if (!isFiltered && names.every((name) => known.has(name)))
        expect(data.result.length, query).toBeGreaterThan(0);
    }
    await vi.waitUntil(
      async () => {
        const { data } = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
          data: { groups: { rules: { health: string; name: string; lastError?: string }[] }[] };
        };
        const rules = data.groups.flatMap(({ rules }) => rules);
        return rules.length === RULES.length && rules.every(({ health }) => health === "ok");
      },
      { timeout: 30_000, interval: 500 },
    );
  },
  120_000,
);
