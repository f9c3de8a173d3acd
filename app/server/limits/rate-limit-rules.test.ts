import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { limitRule, RATE_LIMITS } from "~/server/limits/rate-limit-rules";

const WINDOWS: Record<string, number> = {
  "a minute": 60,
  "in 15 minutes": 900,
  "an hour": 3_600,
  "a day": 86_400,
};

test("docs/http-api.md lists every rate limit with its number and window, and no other", () => {
  const page = readFileSync("docs/http-api.md", "utf8");
  const rows = [
    ...page.matchAll(/^\| `([a-z-]+)` \| ([\d,]+) (a minute|in 15 minutes|an hour|a day) \|/gm),
  ];
  const documented = rows.map(([, name, limit = "", window = ""]) => [
    name,
    { limit: Number(limit.replace(",", "")), windowSeconds: WINDOWS[window] },
  ]);
  expect(documented).toEqual(Object.entries(RATE_LIMITS));
});

test("two limits of one subject are counted separately", () => {
  expect(limitRule("upload-user", "1").key).not.toBe(limitRule("run-image-user", "1").key);
});
