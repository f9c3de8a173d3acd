import { existsSync, readFileSync } from "node:fs";
import GithubSlugger from "github-slugger";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { FACTS } from "~/models/upkeep/facts.server";
import { FACTS_READ } from "~/server/metrics/fact-gauges.server";
import { SILENT_PROCESSES } from "~/server/metrics/metrics-text.server";
import { PROCESS_GAUGES } from "~/server/metrics/process-gauges.server";
import { COUNTERS, HISTOGRAMS } from "~/utils/metrics.server";
import { dashboardQueries, type Rule } from "../helpers/observability";

const KNOWN: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    Object.entries(COUNTERS).map(([name, { labelNames }]) => [name, labelNames]),
  ),
  ...Object.fromEntries(
    Object.entries(HISTOGRAMS).map(([name, { labelNames }]) => [name, [...labelNames, "le"]]),
  ),
  ...Object.fromEntries(
    Object.entries(FACTS).map(([name, { label }]) => [name, label ? [label] : []]),
  ),
  ...Object.fromEntries(Object.keys(PROCESS_GAUGES).map((name) => [name, []])),
  [FACTS_READ]: [],
  [SILENT_PROCESSES]: [],
};

const RULES = (
  parse(readFileSync("docs/observability/alerts.yml", "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap(({ rules }) => rules);

const QUERIES = [...RULES.map(({ expr }) => expr), ...dashboardQueries()];

test("every metric of the rules and the dashboard is one that the server has", () => {
  const named = QUERIES.flatMap((query) => query.match(/\brcs_[a-z0-9_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(50);
  for (const name of named)
    expect(Object.keys(KNOWN)).toContain(
      name in KNOWN ? name : name.replace(/_(bucket|sum|count)$/, ""),
    );
});

test("every label by which they select is one that the metric has", () => {
  const selectors = QUERIES.flatMap((query) => [
    ...query.matchAll(/\b(rcs_[a-z0-9_]+)\{([^}]*)\}/g),
  ]);
  expect(selectors.length).toBeGreaterThan(5);
  for (const [, name = "", conditions = ""] of selectors) {
    const labels = KNOWN[name] ?? KNOWN[name.replace(/_(bucket|sum|count)$/, "")] ?? [];
    for (const [, label] of conditions.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      expect([name, ...labels]).toContain(label);
  }
});

test("no metric has a label of Prometheus' own, which it would rename", () => {
  for (const labels of Object.values(KNOWN))
    for (const label of labels) expect(["job", "instance"]).not.toContain(label);
});

test.each(RULES)(
  "the runbook of $alert says what to do, and names the alert",
  ({ alert, annotations, labels }) => {
    const [file = "", anchor] = (annotations.runbook ?? "").split("#");
    expect(existsSync(file), file).toBe(true);
    expect(file).toMatch(/^docs\/incidents\//);
    expect(["page", "ticket"]).toContain(labels?.severity);
    const text = readFileSync(file, "utf8");
    const slugs = new GithubSlugger();
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      slugs.slug(heading),
    );
    if (anchor) expect(headings).toContain(anchor);
    expect(text).toContain(`\`${alert}\``);
  },
);

test("the documentation has every metric with its labels and its help", () => {
  const page = readFileSync("docs/observability/README.md", "utf8");
  const helps = { ...COUNTERS, ...HISTOGRAMS, ...FACTS, ...PROCESS_GAUGES };
  for (const [name, { help }] of Object.entries(helps)) {
    const labels = (KNOWN[name] ?? [])
      .filter((label) => label !== "le")
      .map((label) => `\`${label}\``);
    expect(page).toContain(`| \`${name}\` | ${labels.join(", ")} | ${help} |`);
  }
});
