import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_DAYS, severitySchema } from "../../scripts/audit/exceptions";
import { idOf, invented, STANDING, startAdvisoryRegistry } from "../helpers/advisory-registry";
import { runScript } from "../helpers/run-script";

const SEVERITIES = severitySchema.options;
const CLOSED_PORT = "http://127.0.0.1:1/";

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 24 * 60 * 60_000).toISOString().slice(0, 10);

interface Audit {
  /** Address of the registry. */
  registry: string;
  /** Without it, those of the project. */
  exceptions?: object[];
  args?: string[];
}

/** Runs the command, with npm itself, on the packages of this project. */
async function audit({ registry, exceptions, args = [] }: Audit) {
  const folder = mkdtempSync(path.join(tmpdir(), "audit-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const list = path.join(folder, "exceptions.json");
  if (exceptions) writeFileSync(list, JSON.stringify(exceptions));
  return runScript(
    "scripts/audit/audit.command.ts",
    [...(exceptions ? ["--exceptions", list] : []), ...args],
    { npm_config_registry: registry, npm_config_cache: folder, HOME: folder },
  );
}

/** An exception for the invented weakness of severity low. */
const published = (ago: number) => ({
  id: idOf("low"),
  package: "express",
  severity: "low",
  published: daysAgo(ago),
  reason: "the update is under way on a branch",
});

test("the project's exceptions cover every advisory that stands, and none beyond", async () => {
  const { code, stdout } = await audit({ registry: await startAdvisoryRegistry(STANDING) });
  expect(stdout).toMatch(/^every known weakness is excepted/m);
  expect(stdout).not.toContain("is gone");
  expect(stdout).not.toContain("GHSA-jjmj-jmhj-qwj2");
  expect(code).toBe(0);
});

test("one that is in no list fails, of whatever severity, and the line says how to list it", async () => {
  const registry = await startAdvisoryRegistry({ express: SEVERITIES.map(invented) });
  const { code, stdout } = await audit({ registry, exceptions: [] });
  expect({ code, stdout }).toMatchObject({ code: 1 });
  for (const severity of SEVERITIES) {
    expect(stdout).toContain(`${idOf(severity)} in express (${severity})`);
    expect(stdout).toContain(`until ${DEADLINE_DAYS[severity]} days after that day`);
  }
});

test("a listed one passes to its last day, and fails from the next on", async () => {
  const registry = await startAdvisoryRegistry({ express: [invented("low")] });
  expect(await audit({ registry, exceptions: [published(90)] })).toMatchObject({ code: 0 });
  const late = await audit({ registry, exceptions: [published(91)] });
  expect(late.stdout).toContain(`the exception ended on ${daysAgo(1)}`);
  expect(late.code).toBe(1);
});

test.each([
  ["refuses audits", () => startAdvisoryRegistry(null), "405"],
  ["cannot be reached", async () => CLOSED_PORT, "ECONNREFUSED"],
])("where the registry %s the audit says so and passes", async (_what, start, reason) => {
  const registry = await start();
  const silent = await audit({ registry });
  expect(silent.stdout).toMatch(new RegExp(`not checked, because the registry.*${reason}`));
  expect(silent.code).toBe(0);
  expect((await audit({ registry, args: ["--require-answer"] })).code).toBe(1);
  expect((await audit({ registry, exceptions: [published(91)] })).code).toBe(1);
});

test("a list that cannot be read is named with its fault", async () => {
  const entry = { ...published(1), severity: "medium" };
  const { code, stderr } = await audit({ registry: CLOSED_PORT, exceptions: [entry] });
  expect(stderr).toMatch(/^audit: .*exceptions\.json: 0\.severity: /);
  expect(code).toBe(1);
});
