import { expect, test } from "vitest";
import { PACK, priceAlias, priceVariable, TOP_MONTHLY } from "#tests/fixtures/sold";
import { listVariables } from "~/env.server";
import { findMisspellings } from "./misspellings";

test.each([
  ["DATABSE_URL", "DATABASE_URL"],
  [priceAlias(PACK.skuKey).replace("PRICE", "PRISE"), priceAlias(PACK.skuKey)],
  [priceVariable(TOP_MONTHLY).replace("MONTHLY", "MONTLY"), priceVariable(TOP_MONTHLY)],
  ["S3_BUCKET", "S3_BUCKET_NAME"],
  ["AUTH_SECRETS", "AUTH_SECRET"],
  ["TRUSTPROXY", "TRUST_PROXY"],
])("a misspelt name is reported with the nearest known one: %s", (name, nearest) => {
  expect(findMisspellings([name])).toEqual([{ name, nearest }]);
});

test("known names, aliases, reserved names and those of other programs are not reported", () => {
  const known = listVariables().flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
  const others =
    "PATH HOME HOSTNAME SHELL PGHOST PGPORT TERM LANG PWD NODE_OPTIONS NODE_EXTRA_CA_CERTS GITHUB_TOKEN GITHUB_ACTIONS GOOGLE_APPLICATION_CREDENTIALS EMAIL CI POSTGRES_PASSWORD npm_config_cache";
  const reserved = ["PROVIDER_A_PRICE_ENTERPRISE_MONTHLY", "CREEM_PRODUCT_LANDING_PAGE"];
  expect(findMisspellings([...known, ...others.split(" "), ...reserved])).toEqual([]);
});
