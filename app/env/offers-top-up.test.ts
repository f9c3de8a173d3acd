import { expect, test } from "vitest";
import { parse } from "#tests/fixtures/env";
import { offersTopUp } from "~/env/payments";

const ON = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "stripe",
  PROVIDER_A_TOP_UP: "true",
};

test.each([
  [ON, true],
  [{ ...ON, PROVIDER_A_TOP_UP: undefined }, false],
  [{ ...ON, NEXT_PUBLIC_ENABLE_PAYMENTS: "false" }, false],
  [{ ...ON, PAYMENTS_PROVIDER: "creem" }, false],
  [{ ...ON, PROVIDER_A_AUTOMATIC_TAX: "true" }, false],
])("automatic top-up with %o is offered: %s", (source, isOffered) => {
  expect(offersTopUp(parse(source).payments)).toBe(isOffered);
});
