import { expect, test } from "vitest";
import { describeError } from "./describe-error";

test.each([
  [
    "several lines and colours",
    new Error("\u001b[31merror:\u001b[0m one\n  --> two\n"),
    "error: one --> two",
  ],
  [
    "a cause",
    new Error("fetch failed", { cause: new Error("connect ECONNREFUSED") }),
    "fetch failed: connect ECONNREFUSED",
  ],
  ["a cause that is said already", new Error("no: why", { cause: new Error("why") }), "no: why"],
  [
    "several addresses",
    new AggregateError([new Error("a"), new Error("b"), new Error("a")]),
    "a, b",
  ],
  ["no message", Object.assign(new Error(""), { code: "ECONNRESET" }), "ECONNRESET"],
  ["no error", "plain", "plain"],
])("one line says what went wrong: %s", (_case, error, line) => {
  expect(describeError(error)).toBe(line);
});
