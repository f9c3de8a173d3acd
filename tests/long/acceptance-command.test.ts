import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { PACK } from "../fixtures/sold";
import { listenLocally } from "../helpers/local-server";
import { press } from "../helpers/payments";
import { runScript, startScript } from "../helpers/run-script";
import { type PaymentServerUnderTest, withPaymentServer } from "../helpers/with-payment-server";

const SCRIPT = "scripts/acceptance/acceptance.command.ts";
const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const STEPS = [
  "webhook",
  "buyer",
  "purchase",
  "read-back",
  "replay",
  "subscription",
  "cancellation",
  "portal",
];

const environmentOf = (app: PaymentServerUnderTest) => ({
  AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
  NEXT_PUBLIC_SITE_URL: app.url,
  ...app.env,
  DATABASE_URL: app.databaseUrl,
});

interface Report {
  ok: boolean;
  steps: { id: string; status: string; message: string; evidence: Record<string, unknown> }[];
}

/** Runs the command and pays every checkout it asks for, as a person at the hosted page would. */
async function accept(app: PaymentServerUnderTest, change: Record<string, string> = {}) {
  await app.control(app.provider, "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` });
  const args = ["--json", "--allow-http", "--wait", "60", "--site", app.url];
  const script = startScript(SCRIPT, args, { ...environmentOf(app), ...change });
  const { stderr } = script.process;
  if (!stderr) throw new Error("it has no standard error");
  createInterface({ input: stderr }).on("line", (line) => {
    if (/^http\S+\/(c\/pay|checkout)\//.test(line)) void press(line, { intent: "pay" });
  });
  const { code, stdout, stderr: told } = await script.finished;
  return { code, told, stdout, report: JSON.parse(stdout) as Report };
}

for (const provider of ["stripe", "creem"] as const) {
  test(`${provider}: a deployment that works passes every step, with evidence and no secret`, async () => {
    const app = APPS[provider];
    const { code, report, stdout, told } = await accept(app);
    expect(report.steps.map(({ id, status }) => `${id} ${status}`)).toEqual(
      STEPS.map((id) => `${id} pass`),
    );
    expect(code).toBe(0);
    const evidence = Object.fromEntries(report.steps.map((step) => [step.id, step.evidence]));
    expect(evidence).toMatchObject({
      webhook: { unsignedPost: 400, get: 405 },
      purchase: { credits: PACK.credits, amount: PACK.amount },
      "read-back": { granted: PACK.credits, eventStatus: "processed" },
      replay: { status: 200, deduped: true, orders: 1, ledgerRows: 1 },
      subscription: { status: "active" },
      cancellation: { atProvider: true, inRow: true, status: "active" },
      portal: { status: 200 },
    });
    for (const name of ["PROVIDER_A_SECRET_KEY", "PROVIDER_B_API_KEY", "PROVIDER_A_WEBHOOK_SECRET"])
      expect(stdout + told).not.toContain(app.env[name]);
  });
}

test("another webhook secret than the deployment's fails the replay, and nothing else", async () => {
  const { code, report } = await accept(APPS.stripe, { PROVIDER_A_WEBHOOK_SECRET: "whsec_other" });
  expect(code).toBe(1);
  expect(report.ok).toBe(false);
  expect(report.steps.filter(({ status }) => status !== "pass")).toMatchObject([
    { id: "replay", status: "fail", message: expect.stringContaining("is not the deployment's") },
  ]);
});

const run = (args: string[], change: Record<string, string> = {}) =>
  runScript(SCRIPT, args, { ...environmentOf(APPS.stripe), ...change });

test("a live key, a site without TLS and a person who does not pay are refused", async () => {
  const [live, plain, unpaid] = await Promise.all([
    run(["--allow-http"], {
      PROVIDER_A_SECRET_KEY: "sk_live_51example",
      NEXT_PUBLIC_SITE_URL: "http://localhost:1",
    }),
    run([]),
    run(["--allow-http", "--wait", "1", "--site", APPS.stripe.url]),
  ]);
  expect(live).toMatchObject({ code: 1, stderr: expect.stringContaining("is a live one") });
  expect(live.stderr).not.toContain("sk_live_51example");
  expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining("must be https") });
  expect(unpaid.code).toBe(1);
  expect(unpaid.stdout).toMatch(/fail +purchase +no paid order has come, after 1 seconds/);
  expect(unpaid.stdout).toMatch(/skip +replay/);
  expect(unpaid.stdout).toMatch(/2 of 8 passed/);
});

test("a webhook behind a redirect is refused", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(308, { Location: "https://www.example.com/" }).end();
  });
  const site = `http://127.0.0.1:${await listenLocally(server)}`;
  const { code, stdout } = await run(["--allow-http", "--site", site]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/fail +webhook +\S+ redirects to https:\/\/www\.example\.com\//);
  expect(stdout).toMatch(/0 of 8 passed/);
});
