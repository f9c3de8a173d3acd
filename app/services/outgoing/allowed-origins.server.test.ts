import { expect, test } from "vitest";
import { parseEnv } from "~/env.server";
import { allowAddressesOf, isAllowed } from "~/services/outgoing/allowed-origins.server";
import { PURPOSES, type PurposeName } from "~/services/outgoing/purposes.server";

const REQUIRED = {
  DATABASE_URL: "postgres://app:pw@db.internal:5432/app",
  AUTH_SECRET: "a".repeat(32),
  NEXT_PUBLIC_SITE_URL: "https://example.com",
};
/** Turns on the features that are off without their keys. */
const KEYS = {
  GITHUB_CLIENT_ID: "id",
  GITHUB_CLIENT_SECRET: "secret",
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "secret",
  NEXT_PUBLIC_TURNSTILE_SITE_KEY: "key",
  TURNSTILE_SECRET_KEY: "secret",
  S3_ENDPOINT: "https://s3.example.com",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
  S3_BUCKET_NAME: "bucket",
};
const NAMES = Object.keys(PURPOSES) as PurposeName[];

const may = (name: PurposeName, url: string) => isAllowed(name, new URL(url));

test("each of a purpose's variables opens its own address to that purpose, path and port included", () => {
  for (const name of NAMES)
    for (const variable of PURPOSES[name].variables) {
      const path = variable === "NEXT_PUBLIC_SITE_URL" ? "" : "/gateway";
      const base = `http://${name.toLowerCase()}.internal:8443${path}`;
      allowAddressesOf(parseEnv({ ...REQUIRED, ...KEYS, [variable]: base }));
      expect(may(name, `${base}/v1/x`), variable).toBe(true);
      // The same host at another port or by another scheme is another service.
      for (const other of [base.replace(":8443", ""), base.replace("http:", "https:")])
        expect(may(name, other), variable).toBe(false);
      const sharing = NAMES.filter((one) => may(one, base));
      const owners = NAMES.filter((one) =>
        (PURPOSES[one].variables as readonly string[]).includes(variable),
      );
      expect(sharing, variable).toEqual(owners);
    }
});

test("an unused feature may call nobody", () => {
  allowAddressesOf(parseEnv({ ...REQUIRED, PASSWORD_BREACH_CHECK: "false" }));
  const defaults = [
    ["github", "https://github.com"],
    ["github", "https://api.github.com"],
    ["google", "https://oauth2.googleapis.com"],
    ["botChallenge", "https://challenges.cloudflare.com"],
    ["breachedPasswords", "https://api.pwnedpasswords.com"],
    ["portal", "https://billing.stripe.com"],
  ] as const;
  for (const [name, url] of defaults) expect(may(name, url), url).toBe(false);
  allowAddressesOf(
    parseEnv({
      ...REQUIRED,
      ...KEYS,
      PASSWORD_BREACH_CHECK: "true",
      PROVIDER_A_SECRET_KEY: "sk_test_1",
    }),
  );
  for (const [name, url] of defaults) expect(may(name, url), url).toBe(true);
});

test("a star stands for one part of a name", () => {
  allowAddressesOf(parseEnv({ ...REQUIRED, PROVIDER_B_API_KEY: "creem_1" }));
  for (const url of ["https://creem.io/x", "https://www.creem.io"])
    expect(may("portal", url)).toBe(true);
  for (const url of [
    "https://a.b.creem.io",
    "http://www.creem.io",
    "https://creem.io.example.com",
    "https://xcreem.io",
  ])
    expect(may("portal", url), url).toBe(false);
});

test("Google's three addresses are those of its sign-in; its page is the browser's to open", () => {
  allowAddressesOf(parseEnv({ ...REQUIRED, ...KEYS }));
  expect(may("google", "https://oauth2.googleapis.com/token")).toBe(true);
  expect(may("google", "https://openidconnect.googleapis.com/v1/userinfo")).toBe(true);
  expect(may("google", "https://accounts.google.com/")).toBe(false);
});
