import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMPLETE, type Source } from "#tests/fixtures/preflight";
import { CASES, PUBLISHED } from "#tests/fixtures/preflight-cases";
import { readEnvironment } from "~/env/read-environment";
import { listVariables } from "~/env.server";
import { CHECK_IDS } from "./check-ids";
import { checkOf, readConfiguration } from "./configuration";
import { checkConfiguration } from "./configuration-checks";
import { createReport } from "./report";

/** Ids by outcome, and the exit code, for a configuration without database or network. */
function judge(source: Source, rehearsal = false) {
  const report = createReport(
    checkConfiguration(readConfiguration(source, new Set([PUBLISHED]), rehearsal)),
    {},
  );
  const ids = (status: string) =>
    report.checks.filter((check) => check.status === status).map(({ id }) => id);
  return { fails: ids("fail"), warns: ids("warn"), exit: report.ok ? 0 : 1 };
}

test.each(CASES)("%s", (_what, change, fails, warns = []) => {
  expect(judge({ ...COMPLETE, ...change })).toEqual({
    fails,
    warns,
    exit: fails.length > 0 ? 1 : 0,
  });
});

test("in a rehearsal, localhost addresses only warn, and a public site is judged as ever", () => {
  const trial = {
    ...COMPLETE,
    NEXT_PUBLIC_SITE_URL: "https://localhost",
    S3_ENDPOINT: "http://127.0.0.1:4583",
  };
  const local = ["env.site-url", "storage.settings"];
  expect(judge(trial, true)).toEqual({ fails: [], warns: local, exit: 0 });
  expect(judge(trial)).toMatchObject({ fails: local, exit: 1 });
  expect(judge({ ...trial, CRON_SECRET: "" }, true)).toMatchObject({ fails: ["cron.secret"] });
  const mixed = { ...COMPLETE, S3_ENDPOINT: "http://127.0.0.1:4583" };
  expect(judge(mixed, true)).toMatchObject({ fails: ["storage.settings"], exit: 1 });
});

test("faults all over are all in one report", () => {
  const garbage = Object.fromEntries(listVariables().map(({ name }) => [name, "\u0000 x"]));
  const { fails } = judge({ ...garbage, S3_BUCKET_NAME: "", FAL_KEY: "another" });
  expect(fails).toEqual([
    "env.database-url",
    "env.auth-secret",
    "env.site-url",
    "env.service",
    "env.aliases",
    "env.proxy",
    "env.security-contact",
    "site.support",
    "site.seller",
    "cron.secret",
    "metrics.secret",
    "payments.provider",
    "payments.keys",
    "payments.prices",
    "storage.settings",
    "images.provider",
    "text.provider",
    "signin.github",
    "signin.google",
    "bot-challenge.keys",
    "email.settings",
  ]);
});

test.each(listVariables().map(({ name }) => name))(
  "a malformed %s fails the check it belongs to, and says its name",
  (name) => {
    const source = { ...COMPLETE, [name]: "\u0000" };
    const { faults } = readEnvironment(source);
    const id = checkOf(faults[0] ?? raise("nothing is at fault"));
    const checks = checkConfiguration(readConfiguration(source));
    const check = checks.find((candidate) => candidate.id === id);
    expect(check).toMatchObject({ status: "fail", message: expect.stringContaining(name) });
    expect(check?.action).toBeTruthy();
  },
);

test("every check has one of the stable ids, once, and every failure says what to do", () => {
  for (const source of [COMPLETE, {}, { ...COMPLETE, PAYMENTS_PROVIDER: "" }]) {
    const checks = checkConfiguration(readConfiguration(source));
    const ids = checks.map(({ id }) => id);
    expect(ids).toEqual(CHECK_IDS.filter((id) => ids.includes(id)));
    for (const { status, message, action } of checks) {
      expect(message).not.toBe("");
      expect(action === null).toBe(status === "pass" || status === "skip");
    }
  }
});

test("docs/preflight.md explains every check, and none that does not exist", () => {
  const text = readFileSync("docs/preflight.md", "utf8");
  const explained = [...text.matchAll(/^\| `([\w.-]+)`/gm)].map(([, id]) => id);
  expect(explained).toEqual([...CHECK_IDS]);
});

function raise(message: string): never {
  throw new Error(message);
}
