import { expect, test } from "vitest";
import { productVariable, TOP_YEARLY } from "#tests/fixtures/sold";
import { PAYMENT_VARIABLES, paymentControl } from "./payment-variables";

test("every payment variable, under either name, is a provider of one's own, but the selector", () => {
  expect(PAYMENT_VARIABLES).toEqual(
    expect.arrayContaining([
      "NEXT_PUBLIC_ENABLE_PAYMENTS",
      "PROVIDER_A_SECRET_KEY",
      "STRIPE_SECRET_KEY",
      "CREEM_API_KEY",
      productVariable(TOP_YEARLY),
    ]),
  );
  expect(PAYMENT_VARIABLES).not.toContain("PAYMENTS_PROVIDER");
  expect(PAYMENT_VARIABLES).not.toContain("CRON_SECRET");
});

const STAND_INS = {
  PROVIDER_A_SECRET_KEY: "sk_test_sandbox_1",
  PROVIDER_A_API_BASE: "http://a",
  PROVIDER_B_API_KEY: "creem_test_sandbox_1",
  PROVIDER_B_API_BASE: "http://b",
};

test.each([
  [{ ...STAND_INS, PAYMENTS_PROVIDER: "stripe" }, "http://a/control"],
  [STAND_INS, "http://a/control"],
  [{ ...STAND_INS, PAYMENTS_PROVIDER: " B " }, "http://b/control"],
])("%j is controlled at %s", (environment, url) => {
  expect(paymentControl(environment)).toEqual([expect.stringContaining(url)]);
});

test("a real provider has no remote control", () => {
  expect(paymentControl({ ...STAND_INS, PROVIDER_A_SECRET_KEY: "sk_test_1" })).toEqual([]);
  expect(paymentControl({})).toEqual([]);
});
