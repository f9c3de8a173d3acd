import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { listPackages } from "../../scripts/audit/sbom";
import { AUDIT_REPORT, BOM, CLEAN_REPORT, NO_AUDIT, NO_KEYS } from "../fixtures/audit";
import { runScript } from "../helpers/run-script";

const SIGNED = { invalid: [], missing: [] };
let completeBom: typeof BOM;

beforeAll(() => {
  const packages = listPackages(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const components = packages.map((name) => ({ type: "library", purl: `pkg:npm/${name}` }));
  completeBom = { ...BOM, components };
});

interface Replies {
  audit: unknown;
  signatures: unknown;
  accepted?: unknown[];
}

/** Runs the command with an `npm` that prints these replies. */
async function audit({ audit, signatures, accepted = [] }: Replies, ...args: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "audit-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = (name: string, value: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(value));
  write("accepted.json", accepted);
  write("audit --json", audit);
  write("audit signatures", signatures);
  write("sbom --sbom-format=cyclonedx", completeBom);
  // It fails as npm does when it finds something: only the reply counts.
  const npm = '#!/bin/sh\ncat "$(dirname "$0")/$1 $2"\nexit 1\n';
  writeFileSync(path.join(folder, "npm"), npm, { mode: 0o755 });
  const sbom = path.join(folder, "out", "sbom.json");
  const files = ["--accepted", path.join(folder, "accepted.json"), "--out", sbom];
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const result = await runScript("scripts/audit/audit.command.ts", [...files, ...args], env);
  return { ...result, sbom: JSON.parse(readFileSync(sbom, "utf8")) as unknown };
}

test("nothing found: exit code 0, and the SBOM is written", async () => {
  const { code, stderr, sbom } = await audit({ audit: CLEAN_REPORT, signatures: SIGNED });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(sbom).toEqual(completeBom);
});

test("a severe advisory: exit code 1, and the other checks are made all the same", async () => {
  const { code, stdout } = await audit({ audit: AUDIT_REPORT, signatures: SIGNED });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^advisories: GHSA-chx6-hx7r-mcp5 .*\nsignatures: every .*\nsbom: /m);
});

test("no registry: exit code 0 with a line for each check, and 1 with --require-answer", async () => {
  const replies = { audit: NO_AUDIT, signatures: NO_KEYS };
  const { code, stdout } = await audit(replies);
  expect(code).toBe(0);
  expect(stdout.match(/not checked, because the registry did not respond/g)).toHaveLength(2);
  expect((await audit(replies, "--require-answer")).code).toBe(1);
});

test("an acceptance past its date: exit code 1 even where no registry answers", async () => {
  const entry = { id: "GHSA-chx6-hx7r-mcp5", package: "x", reviewBy: "2020-01-31" };
  const accepted = [{ ...entry, reason: "it does no harm in this place" }];
  const { code } = await audit({ audit: NO_AUDIT, signatures: NO_KEYS, accepted });
  expect(code).toBe(1);
});
