import { expect, test } from "vitest";
import { findPublishedSecrets, findWeakness } from "./secret-strength";

const RANDOM = "q7Rk2vXw9ZsT4mYb8NcJ1hGf6LdP3uEa5QoKxWiV0tSz";

test.each([
  [`AUTH_SECRET=${RANDOM}`],
  [`export AUTH_SECRET='${RANDOM}'`],
  [`      AUTH_SECRET: "${RANDOM}"`],
  [`{ "CRON_SECRET": "${RANDOM}" }`],
  [`docker run -e AUTH_SECRET=${RANDOM} image`],
])("a secret that a file assigns is published: %s", (text) => {
  expect([...findPublishedSecrets([{ text }])]).toEqual([RANDOM]);
  expect(findWeakness(RANDOM, findPublishedSecrets([{ text }]))).toMatch(/example/);
});

test.each([
  "AUTH_SECRET=",
  "AUTH_SECRET=<yours>",
  "AUTH_SECRET=$(openssl rand -base64 48)",
  "`AUTH_SECRET` signs session cookies",
])("what is no value is none: %s", (text) => {
  expect([...findPublishedSecrets([{ text }])]).toEqual([]);
});

test("random values are strong, words and runs are not", () => {
  const none = new Set<string>();
  for (const strong of [
    RANDOM,
    "7f3a9c1e5b2d8f604a6c0e9b1d7f3a52",
    "correct horse battery staple xkcd",
  ])
    expect(findWeakness(strong, none), strong).toBeNull();
  for (const weak of [
    "a".repeat(64),
    "12345678".repeat(4),
    "test-secret-that-is-long-enough-to-be-one",
  ])
    expect(findWeakness(weak, none), weak).not.toBeNull();
});
