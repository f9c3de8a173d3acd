import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { selectPromptCheck } from "~/services/images/prompt-check.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { startImageSandbox } from "../../../scripts/sandbox/images/image-sandbox";
import { startPaymentSandbox } from "../../../scripts/sandbox/payment-sandbox";
import { signUp } from "../../helpers/client";
import { giveCredits, ledgerOf } from "../../helpers/ledger";
import { withTestServer } from "../../helpers/with-test-server";

/** Creem's moderation, deciding by the prompt's text; it counts its requests. */
let asked = 0;
const moderation = http.createServer(async (request, response) => {
  asked += 1;
  let text = "";
  for await (const chunk of request) text += chunk;
  const { prompt } = JSON.parse(text) as { prompt: string };
  if (prompt === "broken") response.statusCode = 500;
  response.end(JSON.stringify({ decision: prompt }));
});

const sandbox = startImageSandbox({ port: 0 });
const listening = new Promise<number>((resolve) => {
  moderation.listen(0, "127.0.0.1", () => resolve((moderation.address() as AddressInfo).port));
});
afterAll(async () => {
  moderation.close();
  await (await sandbox).stop();
});

const app = withTestServer(async () => ({
  ...(await sandbox).env,
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "B",
  PROVIDER_B_API_KEY: "creem_test_sandbox_key",
  PROVIDER_B_WEBHOOK_SECRET: "whsec_sandbox",
  PROVIDER_B_API_BASE: `http://127.0.0.1:${await listening}`,
}));

test.each([
  ["allow", 200, undefined, 2],
  ["deny", 400, "prompt_rejected", 1],
  ["flag", 400, "prompt_rejected", 1],
  ["broken", 500, "generation_unavailable", 1],
])(
  "while Creem is active, a prompt it responds with %s is a %i",
  async (prompt, status, code, rows) => {
    const person = await signUp(app.url);
    await giveCredits(app, person.email, CREDITS_PER_IMAGE);
    const reply = await person.json("POST", "/api/generate-image", { prompt });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    // Only accepted prompts were charged: the check comes before the deduction.
    expect(await ledgerOf(app, person.email)).toHaveLength(rows);
  },
);

test("too few credits are reported before the prompt is checked", async () => {
  const person = await signUp(app.url);
  const before = asked;
  const reply = await person.json("POST", "/api/generate-image", { prompt: "allow" });
  expect([reply.status, reply.body.code]).toEqual([402, "insufficient_credits"]);
  expect(asked).toBe(before);
});

test.each([
  ["deny", 400, "This prompt breaks the content rules. You weren’t charged."],
  ["broken", 500, "We can’t do that right now. You weren’t charged."],
])(
  "the page keeps a prompt that Creem responds with %s, and says why",
  async (prompt, status, text) => {
    const person = await signUp(app.url);
    await giveCredits(app, person.email, CREDITS_PER_IMAGE);
    const form = { prompt, n: "1", size: "square", formKey: randomUUID() };
    const page = await person.post("/en/demo/image-generator", form);
    expect(page.status).toBe(status);
    const html = await page.text();
    expect(html).toContain(text);
    expect(html).toMatch(new RegExp(`<textarea[^>]*>${prompt}</textarea>`));
    expect(await ledgerOf(app, person.email)).toHaveLength(1);
  },
);

test.each([
  ["a lake", "allowed"],
  ["a lake [sandbox:deny]", "rejected"],
  ["a lake [sandbox:flag]", "rejected"],
])("the stand-in for Creem has a prompt like '%s' %s", async (prompt, verdict) => {
  const webhookUrl = "http://127.0.0.1:1/";
  const payments = await startPaymentSandbox({ stripePort: 0, creemPort: 0, webhookUrl });
  onTestFinished(() => payments.stop());
  const { PROVIDER_B_API_KEY: apiKey = null, PROVIDER_B_API_BASE: apiBase = "" } = payments.env;
  allowAddresses({ promptCheck: [apiBase] });
  const check = (key: string | null) =>
    selectPromptCheck({ enabled: true, provider: "creem", creem: { apiKey: key, apiBase } });
  expect(await check(apiKey)?.({ prompt, externalId: "image-1" })).toBe(verdict);
  // Like Creem, it tells nobody without a key.
  const unknown = check("another key")?.({ prompt, externalId: "image-1" });
  await expect(unknown).rejects.toMatchObject({ code: "generation_unavailable" });
});
