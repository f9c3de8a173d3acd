import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { freePort } from "../../scripts/lib/free-port";
import { alertTests, ILL } from "../helpers/alert-scenarios";
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
    const folder = mkdtempSync(path.join(tmpdir(), "rules-"));
    const file = path.join(folder, "tests.yml");
    writeFileSync(
      file,
      stringify({ rule_files: [ALERTS], evaluation_interval: "1m", tests: alertTests() }),
    );
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
