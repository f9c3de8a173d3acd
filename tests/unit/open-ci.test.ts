import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  if?: string;
  "timeout-minutes"?: number;
  permissions?: unknown;
  steps: Step[];
}

const TEXT = readFileSync(".github/workflows/ci.yml", "utf8");
const WORKFLOW = parse(TEXT) as {
  on: Record<string, unknown>;
  permissions: unknown;
  jobs: Record<"run" | "audit", Job>;
};
const JOBS = Object.values(WORKFLOW.jobs);
const RUN = readFileSync(".ci/run", "utf8");

const stepOf = (job: Job, action: string) =>
  job.steps.find(({ uses }) => uses?.startsWith(`${action}@`));

test("the workflow runs .ci/run for every change, and nothing else of its own", () => {
  const { run } = WORKFLOW.jobs;
  expect(WORKFLOW.on).toMatchObject({ push: { branches: ["main"] }, pull_request: null });
  expect(run.steps.flatMap((step) => step.run ?? [])).toEqual([".ci/run"]);
  expect(stepOf(run, "actions/setup-node")?.with).toEqual({ "node-version-file": ".nvmrc" });
  // Without it only the newest commit would be looked at for secrets.
  expect(stepOf(run, "actions/checkout")?.with).toMatchObject({ "fetch-depth": 0 });
});

test("it keeps the SBOM and the licences that .ci/run leaves", () => {
  const { path } = stepOf(WORKFLOW.jobs.run, "actions/upload-artifact")?.with ?? {};
  const kept = String(path).trim().split("\n");
  expect(kept).toEqual(["build/sbom.cdx.json", "build/third-party.txt"]);
  for (const file of kept) expect(RUN).toContain(file);
  expect(RUN).toMatch(/^npm run sbom\nnpm run licences$/m);
});

test("it asks for known weaknesses once a week, and fails without a response", () => {
  expect(WORKFLOW.on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/) }]);
  expect(WORKFLOW.jobs.audit.if).toBe("github.event_name == 'schedule'");
  const commands = WORKFLOW.jobs.audit.steps.flatMap((step) => step.run ?? []);
  expect(commands).toContain("npm run audit -- --require-answer");
});

test("it may only read, holds no credentials, and ends by itself", () => {
  expect(WORKFLOW.permissions).toEqual({ contents: "read" });
  for (const job of JOBS) {
    expect(job.permissions).toBeUndefined();
    expect(job["timeout-minutes"]).toBeLessThanOrEqual(120);
    expect(stepOf(job, "actions/checkout")?.with).toMatchObject({ "persist-credentials": false });
  }
  expect(TEXT).not.toMatch(/secrets\.|pull_request_target/);
});

test("every action is pinned to a commit, with its version beside it", () => {
  const pinned = TEXT.match(/uses: .*/g) ?? [];
  expect(pinned).toHaveLength(JOBS.flatMap(({ steps }) => steps).filter(({ uses }) => uses).length);
  for (const line of pinned)
    expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("every npm script that CI runs exists", () => {
  const names = [...`${RUN}${TEXT}`.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(packageJson.scripts, name).toHaveProperty(name);
});

test("one bot proposes updates, each week, of everything that has a version", () => {
  const { updates } = parse(readFileSync(".github/dependabot.yml", "utf8")) as {
    updates: { "package-ecosystem": string; directory: string; schedule: { interval: string } }[];
  };
  const ecosystems = updates.map((update) => update["package-ecosystem"]);
  expect(ecosystems).toEqual(["npm", "github-actions", "docker", "docker-compose"]);
  for (const { schedule, directory } of updates)
    expect([schedule.interval, directory]).toEqual(["weekly", "/"]);
  expect(existsSync("renovate.json")).toBe(false);
});
