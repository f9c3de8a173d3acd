import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { REQUIRED } from "../../fixtures/env";
import { runScript } from "../../helpers/run-script";
import { withPaymentServer } from "../../helpers/with-payment-server";

const CRON = { CRON_SECRET: "cron-secret-for-tests-only" };
const app = withPaymentServer("stripe", CRON);

const BODY = JSON.stringify({ id: "evt_rejected", type: "ping" });

/** Signs as Stripe does. */
function sign(secret: string, at = Math.floor(Date.now() / 1000)) {
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${BODY}`).digest("hex")}`;
}

const post = (headers: Record<string, string>, url = app.url) =>
  fetch(`${url}/api/payments/webhook`, { method: "POST", body: BODY, headers }).then(
    (response) => response.status,
  );

const countsOf = async (reason: string) =>
  (
    await app.sql<{ count: number }>("SELECT count FROM webhook_rejections WHERE reason = $1", [
      reason,
    ])
  ).map(({ count }) => count);

const linesOf = (logs: Record<string, unknown>[], reason: string) =>
  logs.filter((line) => line.event === "signature_refused" && line.reason === reason);

const readiness = async (headers: Record<string, string> = {}) =>
  (await (await fetch(`${app.url}/readyz`, { headers })).json()) as {
    refusedWebhooks?: { lastDay: number; suspicious: boolean; lastAcceptedAt: string | null };
  };

const webhooks = (...args: string[]) =>
  runScript("scripts/webhooks/webhooks.command.ts", args, {
    ...REQUIRED,
    DATABASE_URL: app.databaseUrl,
  });

test("a wrong secret's signature is an error in the log, and operators see its count", async () => {
  expect((await webhooks("list", "--rejected")).stdout).toBe("no refused signatures\n");
  expect(await post({ "Stripe-Signature": sign("whsec_wrong") })).toBe(400);
  expect(await countsOf("mismatch")).toEqual([1]);
  expect(linesOf(await app.server.allLogs(), "mismatch")).toMatchObject([
    { level: 50, provider: "stripe", inThisHour: 1, outcome: "failure" },
  ]);
  const { stdout } = await webhooks("list", "--rejected");
  expect(stdout).toMatch(/^hour +provider +reason +count +last\n\S+ +stripe +mismatch +1 +\S+\n$/);
  const { rejections } = JSON.parse((await webhooks("list", "--rejected", "--json")).stdout);
  expect(rejections).toMatchObject([{ provider: "stripe", reason: "mismatch", count: 1 }]);
  expect(await webhooks("list", "--rejected", "--status", "dead")).toMatchObject({ code: 2 });

  const bearer = { Authorization: `Bearer ${CRON.CRON_SECRET}` };
  await expect
    .poll(async () => (await readiness(bearer)).refusedWebhooks)
    .toMatchObject({ lastDay: 1, suspicious: true, lastAcceptedAt: null });
  await expect.poll(() => readiness()).toEqual({ status: "ready", failing: [] });

  const args = ["--json", "--skip", "code.types"];
  const preflight = await runScript("scripts/preflight/preflight.command.ts", args, {
    ...REQUIRED,
    DATABASE_URL: app.databaseUrl,
  });
  const checks = (JSON.parse(preflight.stdout) as { checks: { id: string }[] }).checks;
  expect(checks.find(({ id }) => id === "payments.rejected-webhooks")).toMatchObject({
    status: "warn",
    message:
      "1 webhook deliveries were refused for their signature in 24 hours, and none was ever accepted",
    action:
      "run `npm run webhooks -- list --rejected`, and read docs/incidents/webhooks-failing.md",
  });
});

test("a stranger's flood takes one row, a few lines of the log, and none of level error", async () => {
  const FLOOD = 120;
  const another = await app.startAnother();
  for (let sent = 0; sent < FLOOD; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => post({}, n % 2 === 0 ? app.url : another.url)),
    );
  await another.stop();
  await expect.poll(() => countsOf("missing")).toEqual([FLOOD]);
  const lines = linesOf([...(await app.server.allLogs()), ...another.logs], "missing");
  expect(lines.length).toBeGreaterThan(0);
  // One for each power of ten up to 120, at most.
  expect(lines.length).toBeLessThanOrEqual(3);
  expect(lines.every(({ level }) => level === 40)).toBe(true);
});

test("an old signature of the right secret is told apart from a wrong one", async () => {
  const secret = app.env.PROVIDER_A_WEBHOOK_SECRET ?? "";
  const late = Math.floor(Date.now() / 1000) - 301;
  expect(await post({ "Stripe-Signature": sign(secret, late) })).toBe(400);
  expect(await post({ "Stripe-Signature": "rubbish" })).toBe(400);
  await expect.poll(() => countsOf("expired")).toEqual([1]);
  await expect.poll(() => countsOf("malformed")).toEqual([1]);
});

test("rubbish alone is not suspicious while deliveries are accepted", async () => {
  const secret = app.env.PROVIDER_A_WEBHOOK_SECRET ?? "";
  const bearer = { Authorization: `Bearer ${CRON.CRON_SECRET}` };
  await app.sql("DELETE FROM webhook_rejections WHERE reason IN ('mismatch', 'expired')");
  await expect.poll(async () => (await readiness(bearer)).refusedWebhooks?.suspicious).toBe(true);
  expect(await post({ "Stripe-Signature": sign(secret) })).toBe(200);
  await expect.poll(async () => (await readiness(bearer)).refusedWebhooks?.suspicious).toBe(false);
});
