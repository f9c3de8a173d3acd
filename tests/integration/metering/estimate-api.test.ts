import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { storeApiKey } from "../../helpers/api-keys";
import { createClient, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { hashTables } from "../../helpers/stored-tables";
import { startTestServer } from "../../helpers/test-server";
import { withImageServer } from "../../helpers/with-image-server";

// Background work has rows of its own.
const app = withImageServer({ WORKER: "off" });

test("an estimate says what the action then does, for a session and for a key, and stores nothing", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 2 * CREDITS_PER_IMAGE);
  const key = await storeApiKey(app, person.email, { scopes: ["read"] });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const ask = (input: unknown, action = "image") => ({ action, input });
  const bySession = (body: object) => person.json("POST", "/api/estimate", body);
  const byKey = async (body: object) => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await createClient(app.url).fetch("/api/estimate", sent);
    return { status: response.status, body: await response.json() };
  };
  // The first use of the session and of the key is noted.
  await Promise.all([bySession(ask({})), byKey(ask({}))]);
  const before = await hashTables(app.sql);
  for (const estimate of [bySession, byKey]) {
    expect(await estimate(ask({ prompt: "a cat", n: 2 }))).toMatchObject({
      status: 200,
      body: {
        action: "image",
        units: 2,
        credits: 2 * CREDITS_PER_IMAGE,
        balance: 2 * CREDITS_PER_IMAGE,
        allowed: true,
        reason: null,
      },
    });
    expect((await estimate(ask({ prompt: "a cat", n: 3 }))).body).toMatchObject({
      allowed: false,
      reason: "insufficient_credits",
    });
    const invalid = await estimate(ask({ prompt: " ", n: 9 }));
    const own = await person.json("POST", "/api/generate-image", { prompt: " ", n: 9 });
    expect([invalid.status, invalid.body]).toEqual([own.status, own.body]);
    // Text is off on this server.
    for (const action of ["text", "constructor", ""])
      expect(await estimate(ask({ prompt: "a cat" }, action))).toMatchObject({
        status: 400,
        body: { code: "unknown_action" },
      });
  }
  expect(await hashTables(app.sql)).toEqual(before);
  expect((await createClient(app.url).json("POST", "/api/estimate", ask({}))).status).toBe(401);
});

test("a server without a provider says so before it speaks of credits, as the action does", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...app.imagesEnv,
    IMAGE_PROVIDER_1_KEY: "",
    IMAGE_PROVIDER_2_KEY: "",
    IMAGE_PROVIDER_3_KEY: "",
  });
  const person = await signUp(server.url);
  const input = { prompt: "a cat" };
  const estimate = await person.json("POST", "/api/estimate", { action: "image", input });
  const begun = await person.json("POST", "/api/generate-image", input);
  expect(estimate.body).toMatchObject({ allowed: false, reason: begun.body.code });
  expect(begun.body.code).toBe("generation_unavailable");
  await server.stop();
});
