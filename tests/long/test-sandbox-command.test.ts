import { expect, test } from "vitest";
import { PACK, priceAlias, priceVariable, TOP_PLAN, TOP_YEARLY } from "../fixtures/sold";
import { createRequest, press, startPayments } from "../helpers/payments";
import { runScript } from "../helpers/run-script";

// The command needs real test credentials. Here the stand-ins replace the providers.

const run = (env: Record<string, string>) => runScript("scripts/test/sandbox.command.ts", [], env);

const lastLine = (text: string) => text.trim().split("\n").at(-1);

test("with Stripe's credentials both tests pass", async () => {
  const { sandbox } = await startPayments();
  const { code, stdout } = await run(sandbox.env);
  expect(lastLine(stdout), stdout).toBe("2 passed, 0 failed, 0 skipped");
  expect(code).toBe(0);
}, 60_000);

test("with Creem's both pass once the store has a customer, and until then it says how to get one", async () => {
  const { sandbox, creem } = await startPayments();
  const env = { ...sandbox.env, PAYMENTS_PROVIDER: "creem" };
  const without = await run(env);
  expect(without.code).toBe(1);
  expect(lastLine(without.stdout)).toBe("1 passed, 1 failed, 0 skipped");
  expect(without.stderr).toContain("this Creem test store has no customer yet: pay one test");

  const { url } = await creem.createPackCheckout(createRequest({ skuKey: PACK.skuKey }));
  await press(url, { intent: "pay" });
  const { code, stdout } = await run(env);
  expect(lastLine(stdout), stdout).toBe("2 passed, 0 failed, 0 skipped");
  expect(code).toBe(0);
}, 90_000);

test("a wrong key, a wrong price and an API that is not there fail in the provider's own words", async () => {
  const { sandbox } = await startPayments();
  const key = "sk_test_of_somebody_else";
  const [wrongKey, wrongPrice, noServer] = await Promise.all([
    run({ ...sandbox.env, PROVIDER_A_SECRET_KEY: key }),
    run({ ...sandbox.env, [priceVariable(TOP_YEARLY)]: "price_gone" }),
    run({ ...sandbox.env, PROVIDER_A_API_BASE: "http://127.0.0.1:9" }),
  ]);
  expect(wrongKey.code).toBe(1);
  expect(lastLine(wrongKey.stdout)).toBe("0 passed, 2 failed, 0 skipped");
  expect(wrongKey.stderr).toContain("StripeAuthenticationError, status 401");
  expect(wrongKey.stdout + wrongKey.stderr).not.toContain(key);
  expect(lastLine(wrongPrice.stdout)).toBe("1 passed, 1 failed, 0 skipped");
  expect(wrongPrice.stderr).toContain(`${TOP_PLAN.planKey} by the year: Stripe: `);
  expect(lastLine(noServer.stdout)).toBe("0 passed, 2 failed, 0 skipped");
}, 90_000);

test("missing and live credentials are refused in one line that names what is needed", async () => {
  const none = await run({ PAYMENTS_PROVIDER: "" });
  expect(none).toMatchObject({ code: 1, stdout: "" });
  expect(none.stderr).toMatch(/^test:sandbox: set PAYMENTS_PROVIDER to stripe, with [^\n]*\n$/);
  const live = await run({
    PAYMENTS_PROVIDER: "stripe",
    STRIPE_SECRET_KEY: "sk_live_abcdefgh",
    [priceAlias(PACK.skuKey)]: "price_1",
  });
  expect(live).toMatchObject({
    code: 1,
    stdout: "",
    stderr:
      "test:sandbox: PROVIDER_A_SECRET_KEY is not a test key (sk_test_…): the provider was not called\n",
  });
});
