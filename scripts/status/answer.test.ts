import { expect, test } from "vitest";
import { ago, duration } from "./answer";

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [7_199, "120 minutes"],
  [7_200, "2 hours"],
  [200_000, "2 days"],
])("%d seconds read as %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test("a time that never was reads so", () => {
  expect(ago(null)).toBe("never");
});
