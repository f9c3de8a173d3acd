import { expect, test } from "vitest";
import { MIDDLE_PACK, written } from "../../fixtures/sold";
import { deliverAll, runReconcile } from "../../helpers/reconciliation";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe");

test("it prints its flags and refuses invalid arguments", async () => {
  const [help, since, provider, checkout, user] = await Promise.all([
    runReconcile(app, "--help"),
    runReconcile(app, "--since", "yesterday"),
    runReconcile(app, "--provider", "paypal"),
    runReconcile(app, "--checkout", "cs_1"),
    runReconcile(app, "--user", "nobody@example.com"),
  ]);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("--apply") });
  expect(since).toMatchObject({ code: 2, stderr: expect.stringContaining("not 'yesterday'") });
  expect(provider).toMatchObject({ code: 2, stderr: expect.stringContaining("stripe or creem") });
  expect(checkout).toMatchObject({ code: 2, stderr: expect.stringContaining("needs --provider") });
  expect(user).toMatchObject({
    code: 1,
    stderr: "billing reconcile: no user has the email address nobody@example.com\n",
  });
});

test("differences set the exit code, have one line each, and are gone once repaired", async () => {
  const { webhooks, sessionId } = await app.buy("pack");
  const found = await runReconcile(app);
  expect(found.code).toBe(1);
  expect(found.stdout.trim().split("\n")).toEqual([
    expect.stringMatching(
      `^stripe  checkout ${sessionId}  user [0-9a-f-]{36}  ${MIDDLE_PACK.credits} credits for ${written(MIDDLE_PACK.amount)}: paid there, no order here  --apply would record the order and grant its credits$`,
    ),
    expect.stringMatching(/compared: differences: 1, repaired 0, remaining 1$/),
  ]);
  expect(found.stderr).toContain("stripe: 1 compared\n");

  const json = await runReconcile(app, "--json", "--apply");
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: true,
    counts: { differences: 1, applied: 1, remaining: 0 },
    differences: [{ object: `checkout ${sessionId}`, applied: true, failure: null }],
  });
  expect(await runReconcile(app)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/compared: nothing differs\n$/),
  });
  expect(await deliverAll(app, webhooks)).toEqual([200]);
});

test("a key that the provider refuses is one line, without the key", async () => {
  const key = "sk_test_sandbox_of_another_account";
  const refused = await runReconcile(
    { ...app, env: { ...app.env, PROVIDER_A_SECRET_KEY: key } },
    "--provider",
    "stripe",
  );
  expect(refused.code).toBe(1);
  expect(refused.stderr.trim().split("\n")).toEqual([
    "billing reconcile: Stripe: StripeAuthenticationError, status 401: Invalid API Key provided.",
  ]);
  expect(refused.stdout + refused.stderr).not.toContain(key);
});
