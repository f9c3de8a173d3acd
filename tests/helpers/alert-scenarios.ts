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

/** The differences from that when an alert has to fire. */
export const ILL: Record<string, Series> = {
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

/** Tests for promtool: each alert fires in its scenario, and none while all is well. */
export function alertTests(): object[] {
  return [
    scenario({}, { alert: ".+", fires: false }),
    ...Object.entries(ILL).map(([alert, series]) =>
      scenario(series, { alert, fires: true, minutes: alert === "BackupLate" ? 2_400 : MINUTES }),
    ),
  ];
}
