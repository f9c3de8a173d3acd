import { expect, test } from "vitest";
import { createLogger } from "~/utils/logger.server";
import { runWithRequestContext } from "~/utils/request-context.server";

/** A logger that keeps its lines. */
function testLogger() {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => void lines.push(line) });
  const last = () => JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown>;
  return { logger, lines, last };
}

test("texts and objects under a sensitive name are redacted at any depth", () => {
  const { logger, lines, last } = testLogger();
  logger.info(
    {
      email: "s3cret",
      a: { b: { c: { uploadUrl: "s3cret", list: [{ api_key: "s3cret" }] } } },
      headers: { "set-cookie": ["s3cret"], Authorization: "s3cret" },
      prompt: { text: "s3cret" },
    },
    "sensitive",
  );
  expect(lines.join("")).not.toContain("s3cret");
  expect(last()).toMatchObject({
    email: "[redacted]",
    a: { b: { c: { uploadUrl: "[redacted]", list: [{ api_key: "[redacted]" }] } } },
  });
});

test("the id of an API key stays, so that a line says which key it was, and the key does not", () => {
  const { logger, last } = testLogger();
  logger.info({ apiKeyId: "9f1c", apiKey: "s3cret", details: { apiKeyId: "9f1c" } }, "request");
  expect(last()).toMatchObject({
    apiKeyId: "9f1c",
    apiKey: "[redacted]",
    details: { apiKeyId: "9f1c" },
  });
});

test("counts and flags under a sensitive name stay", () => {
  const { logger, last } = testLogger();
  logger.info({ tokensRemoved: 3, emailVerified: true, hourly: "yes" }, "counts");
  expect(last()).toMatchObject({ tokensRemoved: 3, emailVerified: true, hourly: "yes" });
});

test("the logged object itself is not changed", () => {
  const fields = { nested: { token: "s3cret" } };
  testLogger().logger.info(fields, "kept");
  expect(fields).toEqual({ nested: { token: "s3cret" } });
});

test.each(["err", "error", "anything"])("an error under %s is serialized", (name) => {
  const { logger, lines, last } = testLogger();
  logger.error({ [name]: Object.assign(new Error("x"), { body: "s3cret" }) }, "failed");
  expect(lines.join("")).not.toContain("s3cret");
  expect(last()[name]).toMatchObject({ type: "Error", message: "x" });
});

test.each([
  ["alone", (error: Error) => [error] as const],
  ["in an object without a text", (error: Error) => [{ err: error }] as const],
])("an error logged %s does not become the line's text", (_how, args) => {
  const { logger, lines } = testLogger();
  const [first] = args(new Error("to victim@example.com"));
  logger.error(first);
  expect(lines.join("")).not.toContain("victim@");
  expect(lines.join("")).toContain("to [address]");
});

test("a line carries the request's id", () => {
  const { logger, last } = testLogger();
  runWithRequestContext({ requestId: "r-1" }, () => logger.info({}, "inside"));
  expect(last()).toMatchObject({ requestId: "r-1", msg: "inside" });
});

test("line breaks and quotes in what is logged stay inside the line's own texts", () => {
  const { logger, lines, last } = testLogger();
  const forged = 'a"}\n{"level":30,"msg":"forged"}\r\u2028';
  logger.info({ path: forged }, "request");
  expect(lines.join("").trimEnd()).not.toMatch(/[\r\n]/);
  expect(last()).toMatchObject({ path: forged, msg: "request" });
});
