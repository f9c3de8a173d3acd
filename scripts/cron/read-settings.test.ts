import { expect, test } from "vitest";
import { UsageError } from "../lib/command";
import { readSettings } from "./read-settings";

const GIVEN = { CRON_SECRET: "s3cret-value", NEXT_PUBLIC_SITE_URL: "https://example.com/" };

test("the secret and the site's address are all it needs; --url wins", () => {
  expect(readSettings(undefined, GIVEN)).toEqual({
    baseUrl: "https://example.com",
    secret: "s3cret-value",
    logLevel: "info",
  });
  const { baseUrl } = readSettings("http://app:3000", { CRON_SECRET: "x", LOG_LEVEL: "warn" });
  expect(baseUrl).toBe("http://app:3000");
});

test.each([
  [{ ...GIVEN, CRON_SECRET: " " }, /^CRON_SECRET is not set: give it the server's value$/],
  [{ ...GIVEN, CRON_SECRET: "two words" }, /^CRON_SECRET contains a space/],
  [{ CRON_SECRET: "x" }, /^NEXT_PUBLIC_SITE_URL is not set/],
  [{ ...GIVEN, NEXT_PUBLIC_SITE_URL: "example.com" }, /^NEXT_PUBLIC_SITE_URL is not an address/],
  [{ ...GIVEN, LOG_LEVEL: "loud" }, /^LOG_LEVEL must be one of trace/],
])("%j is refused in a line without the value", (environment, message) => {
  expect(() => readSettings(undefined, environment)).toThrow(message);
  expect(() => readSettings(undefined, environment)).not.toThrow(/two words|loud/);
});

test.each(["", "app:3000", "http://app/path", "ftp://app"])("--url '%s' is refused", (url) => {
  expect(() => readSettings(url, GIVEN)).toThrow(UsageError);
});
