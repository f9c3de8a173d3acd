import { expect, test } from "vitest";
import { redactSecrets, redactUrlCredentials } from "./redact";

test.each([
  ["at postgresql://ann:s3cret@db:5432/app?x=1 now", "at postgresql://***@db:5432/app?x=1 now"],
  ["postgres://ann:p@ss/w:rd?#@db/app", "postgres://***@db/app"],
  ["postgres://ann:p%40ss@db/app", "postgres://***@db/app"],
  ["smtp://token@mail:25 and redis://:pw@cache", "smtp://***@mail:25 and redis://***@cache"],
  ["host=db user=ann password=s3cret dbname=app", "host=db user=ann password=*** dbname=app"],
  ["host=db password = 's3 cret' dbname=app", "host=db password = *** dbname=app"],
  ["postgres://db/app?user=ann&password=s3cret&x=1", "postgres://db/app?user=ann&password=***&x=1"],
  ["CREATE ROLE ann PASSWORD 's3cret'", "CREATE ROLE ann PASSWORD ***"],
])("credentials are hidden: %s", (text, redacted) => {
  expect(redactUrlCredentials(text)).toBe(redacted);
});

test.each([
  "https://example.com/a?b=c#d",
  'password authentication failed for user "ann"',
  "write to ann@example.com",
])("what is no credential stays: %s", (text) => {
  expect(redactUrlCredentials(text)).toBe(text);
});

test("the environment's secrets are hidden wherever they stand, as written and decoded", () => {
  const environment = {
    DATABASE_URL: "postgresql://ann:p%40ss-w@db/app",
    AUTH_SECRET: "0123456789abcdef",
    CRON_SECRET: "0123456789abcdef0123",
    S3_ACCESS_KEY_ID: "visible-id",
    NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_test_visible",
    NEXT_PUBLIC_SITE_URL: "https://example.com",
  };
  const text =
    "p%40ss-w p@ss-w 0123456789abcdef0123 <0123456789abcdef> visible-id pk_test_visible ann";
  expect(redactSecrets(text, environment)).toBe("*** *** *** <***> visible-id pk_test_visible ann");
});

test("a short password is hidden as a word, and not inside other words", () => {
  const environment = { DATABASE_URL: "postgresql://ann:app@db/name" };
  expect(redactSecrets('user "app" of application', environment)).toBe('user "***" of application');
});

test("the local default, a password that is its user's name, leaves messages readable", () => {
  const environment = { DATABASE_URL: "postgresql://postgres:postgres@localhost/app" };
  const text = 'role "postgres" does not exist';
  expect(redactSecrets(text, environment)).toBe(text);
});

test("a long secret is hidden inside of words, inside of URLs, and without the space around it", () => {
  const environment = { AUTH_SECRET: " 0123456789+abcdef\n", SHORT_TOKEN: "abc" };
  const text = "x0123456789+abcdefx Bearer%200123456789%2Babcdef abc";
  expect(redactSecrets(text, environment)).toBe("x***x Bearer%20*** abc");
});
