import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  AUDIT_REPORT,
  BAD_SIGNATURES,
  BAD_TREE,
  BOM,
  CLEAN_REPORT,
  LOCKFILE,
  NO_AUDIT,
  NO_KEYS,
  NO_LOCKFILE,
  NO_NETWORK,
} from "#tests/fixtures/audit";
import { type Accepted, acceptedSchema } from "./advisories";
import { checkAdvisories, checkBom, checkExpiry, checkSignatures } from "./checks";
import { readNpmReply } from "./npm-reply";

const reply = (value: unknown, stderr = "") =>
  readNpmReply({ stdout: JSON.stringify(value, null, 2), stderr });

const ENTRY: Accepted = {
  id: "GHSA-chx6-hx7r-mcp5",
  package: "@remix-run/server-runtime",
  reason: "the address does not exist here",
  reviewBy: "2027-02-28",
};

test("a severe advisory that is not accepted fails once, however many packages have it", () => {
  expect(checkAdvisories(reply(AUDIT_REPORT), [])).toEqual({
    status: "failed",
    lines: [
      expect.stringMatching(
        /^advisories: GHSA-chx6-hx7r-mcp5 in @remix-run.server-runtime \(high\)/,
      ),
    ],
  });
});

test("an accepted advisory passes, and says until when", () => {
  const { status, lines } = checkAdvisories(reply(AUDIT_REPORT), [ENTRY]);
  expect(status).toBe("passed");
  expect(lines[0]).toBe(
    "advisories: GHSA-chx6-hx7r-mcp5 in @remix-run/server-runtime is accepted until 2027-02-28",
  );
});

test.each([
  { ...ENTRY, package: "react-router" },
  { ...ENTRY, id: "GHSA-49rj-9fvp-4h2h" },
])("an acceptance of $id in $package covers no other one", (entry) => {
  const { status, lines } = checkAdvisories(reply(AUDIT_REPORT), [entry]);
  expect(status).toBe("failed");
  expect(lines[0]).toContain("it need not be accepted");
});

test("moderate advisories alone pass", () => {
  const { qs } = AUDIT_REPORT.vulnerabilities;
  const report = { ...AUDIT_REPORT, vulnerabilities: { qs } };
  expect(checkAdvisories(reply(report), []).status).toBe("passed");
});

test("an acceptance of what is gone is told, and passes", () => {
  expect(checkAdvisories(reply(CLEAN_REPORT), [ENTRY])).toMatchObject({
    status: "passed",
    lines: [expect.stringContaining("is gone"), expect.any(String)],
  });
});

test("an acceptance counts on its last day, and fails from the next one on, registry or not", () => {
  expect(checkExpiry([ENTRY], new Date("2027-02-28T23:59:59Z")).status).toBe("passed");
  expect(checkExpiry([ENTRY], new Date("2027-03-01T00:00:00Z"))).toMatchObject({
    status: "failed",
    lines: [expect.stringContaining("reviewed by 2027-02-28")],
  });
});

test.each([
  ["has no audit", NO_AUDIT, "405 Method Not Allowed"],
  ["cannot be reached", NO_NETWORK, "ECONNREFUSED"],
  ["has no keys", NO_KEYS, "ENOTFOUND"],
])("a registry that %s is told in one line", (_what, value, reason) => {
  for (const check of [checkAdvisories(reply(value), []), checkSignatures(reply(value))]) {
    expect(check).toEqual({
      status: "unreachable",
      lines: [expect.stringMatching(new RegExp(`not checked.*${reason}`))],
    });
  }
});

test.each([
  ["no lockfile", NO_LOCKFILE, "requires an existing lockfile"],
  ["a lockfile that the registry cannot read", BAD_TREE, "Invalid package tree"],
])("%s is a failure of ours, not of the registry", (_what, value, reason) => {
  expect(() => reply(value)).toThrow(reason);
});

test("an answer in no known form fails", () => {
  const stderr = "npm warn x\nnpm error code EUNKNOWN\n";
  expect(() => readNpmReply({ stdout: "", stderr })).toThrow("npm error code EUNKNOWN");
  expect(() => checkAdvisories(reply({ auditReportVersion: 3 }), [])).toThrow();
  expect(() => checkSignatures(reply({}))).toThrow();
});

test("a package that is not signed, or not what was signed, fails", () => {
  expect(checkSignatures(reply({ invalid: [], missing: [] })).status).toBe("passed");
  const { status, lines } = checkSignatures(reply(BAD_SIGNATURES));
  expect(status).toBe("failed");
  expect(lines).toEqual([
    expect.stringContaining("left-pad@1.3.0"),
    expect.stringContaining("right-pad@1.0.0"),
  ]);
});

test("an SBOM lists every package of the lockfile, by the name it was published under", () => {
  expect(checkBom(BOM, LOCKFILE, "sbom.json")).toEqual({
    status: "passed",
    lines: ["sbom: 4 packages in sbom.json"],
  });
  const components = BOM.components.slice(1);
  expect(checkBom({ ...BOM, components }, LOCKFILE, "sbom.json")).toEqual({
    status: "failed",
    lines: ["sbom: left-pad@1.3.0 is in package-lock.json and not in sbom.json"],
  });
});

test("the accepted advisories are well-formed, and of installed packages", () => {
  const accepted = acceptedSchema.parse(
    JSON.parse(readFileSync("security/accepted-advisories.json", "utf8")),
  );
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const { package: name } of accepted)
    expect(packages[`node_modules/${name}`], name).toBeDefined();
});
