import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** Runs code next to the functions under test in a separate process, and returns the lines it logged. */
function linesOf(code: string): Record<string, unknown>[] {
  const script = `
    import { setLogLevel } from "./app/utils/logger.server.ts";
    import { noteRequestUser, runWithRequestContext } from "./app/utils/request-context.server.ts";
    import { securityEvent } from "./app/utils/security-event.server.ts";
    ${code}`;
  const env = {
    NODE_ENV: "test" as const,
    DATABASE_URL: "postgres://nobody@localhost/unused",
    AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
    NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
  };
  const args = ["--import", "tsx", "--input-type=module", "-e", script];
  const output = execFileSync(process.execPath, args, { env, encoding: "utf8" });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("an event is written at every LOG_LEVEL, a failure as a warning", () => {
  const lines = linesOf(`
    setLogLevel("silent");
    securityEvent("sign_out", { outcome: "success" });
    securityEvent("sign_out", { outcome: "failure", reason: "test" });`);
  expect(lines).toMatchObject([{ level: 30 }, { level: 40, reason: "test" }]);
});

test("inside a request an event carries its id, network, user and session", () => {
  const [line] = linesOf(`
    runWithRequestContext({ requestId: "r-1", network: "203.0.113.7" }, () => {
      noteRequestUser({ userId: "u-1", sessionId: "s-1" });
      securityEvent("rate_limited", { outcome: "failure", details: { rule: "upload" } });
    });`);
  expect(line).toMatchObject({
    event: "rate_limited",
    requestId: "r-1",
    network: "203.0.113.7",
    userId: "u-1",
    sessionId: "s-1",
    rule: "upload",
  });
});

test("an event about another account does not name the signed-in one", () => {
  const [line] = linesOf(`
    runWithRequestContext({ requestId: "r-1", network: "203.0.113.7" }, () => {
      noteRequestUser({ userId: "u-1", sessionId: "s-1" });
      securityEvent("sign_in", { outcome: "failure", email: "Victim@example.com" });
    });`);
  expect(line).not.toHaveProperty("userId");
  expect(line).not.toHaveProperty("sessionId");
  expect(line).toMatchObject({ account: expect.stringMatching(/^[\w-]{22}$/) });
  expect(JSON.stringify(line)).not.toMatch(/victim/i);
});

test("of a flood that a lane refuses, the 1st, 10th and 100th are written", () => {
  const lines = linesOf(`
    import { inLane, LANES } from "./app/utils/lanes.server.ts";
    const hold = (signal) => new Promise(() => {});
    const ask = () => inLane("uploads", hold, { userId: "u-1" }).catch((error) => error.code);
    for (let upload = 0; upload < LANES.uploads.perUser; upload += 1) void ask();
    const refused = await Promise.all(Array.from({ length: 150 }, ask));
    securityEvent("sign_out", { outcome: "success", details: { refused: [...new Set(refused)].join() } });
    process.exit();`);
  // The process ends at once, so its lines may come in another order.
  expect(new Set(lines.map(({ count }) => count))).toEqual(new Set([1, 10, 100, undefined]));
  expect(lines).toHaveLength(4);
  expect(lines.find(({ count }) => count === 1)).toMatchObject({ rule: "lane-uploads" });
  expect(lines.find(({ count }) => count === undefined)).toMatchObject({ refused: "rate_limited" });
});
