import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { allowAddresses, allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import type { Check } from "../../../scripts/preflight/check";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkAccountServices } from "../../../scripts/preflight/online/account-services-online";
import { askGithub, askGoogle } from "../../../scripts/preflight/online/clients-online";
import { startMailSandbox } from "../../../scripts/sandbox/mail/mail-sandbox";
import { serveLocally } from "../../../scripts/sandbox/serve-locally";
import { startTurnstileSandbox } from "../../../scripts/sandbox/turnstile/turnstile-sandbox";
import { REQUIRED, type Source } from "../../fixtures/preflight";

const SITE = { ...REQUIRED, NEXT_PUBLIC_SITE_URL: "http://localhost:3000" };

async function ask(source: Source): Promise<Record<string, Omit<Check, "id">>> {
  const configuration = readConfiguration({ ...SITE, ...source });
  allowAddressesOf(configuration.env);
  const checks = await checkAccountServices(configuration);
  return Object.fromEntries(checks.map(({ id, ...check }) => [id.replace("online.", ""), check]));
}

test("what is off is not asked", async () => {
  const checks = await ask({});
  expect(Object.values(checks).map(({ status }) => status)).toEqual(Array(4).fill("skip"));
});

test("a secret key that siteverify takes passes, another one fails", async () => {
  const turnstile = await startTurnstileSandbox({ port: 0 });
  onTestFinished(turnstile.stop);
  expect((await ask(turnstile.env))["bot-challenge"]).toMatchObject({
    status: "pass",
    message: expect.stringContaining("siteverify takes the secret key"),
  });
  const wrong = { ...turnstile.env, TURNSTILE_SECRET_KEY: "sandbox-other" };
  expect((await ask(wrong))["bot-challenge"]).toMatchObject({
    status: "fail",
    message: expect.stringContaining("refuses TURNSTILE_SECRET_KEY"),
  });
});

test("a siteverify that takes anything, or cannot be reached, fails", async () => {
  const lax = await serveLocally(0, () =>
    express().post("/turnstile/v0/siteverify", (_request, response) => {
      response.json({ success: true, hostname: "example.com" });
    }),
  );
  onTestFinished(lax.stop);
  const keys = { NEXT_PUBLIC_TURNSTILE_SITE_KEY: "key", TURNSTILE_SECRET_KEY: "secret" };
  const checkAt = async (base: string) =>
    (await ask({ ...keys, TURNSTILE_API_BASE: base }))["bot-challenge"];
  expect((await checkAt(lax.url))?.message).toContain("takes an invented token");
  expect(await checkAt("http://127.0.0.1:9")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("siteverify did not respond"),
  });
});

test("a mail server that takes user and password passes, and gets no mail", async () => {
  let mails = 0;
  const mail = await startMailSandbox({ port: 0, onMail: () => mails++ });
  onTestFinished(mail.stop);
  expect((await ask(mail.env)).email).toMatchObject({ status: "pass" });
  const wrong = { ...mail.env, SMTP_URL: mail.env.SMTP_URL.replace("sandbox:", "other:") };
  expect((await ask(wrong)).email).toMatchObject({
    status: "fail",
    message: "the mail server refuses the user or password",
  });
  expect((await ask({ ...mail.env, SMTP_URL: "smtp://127.0.0.1:9" })).email).toMatchObject({
    status: "fail",
    message: expect.stringContaining("the mail server cannot be used"),
  });
  expect(mails).toBe(0);
});

test("a provider that refuses only the invented code passes, one that refuses the client fails", async () => {
  const expected = `Basic ${btoa("client:secret")}`;
  const provider = await serveLocally(0, () =>
    express()
      .post("/login/oauth/access_token", (request, response) => {
        const isClient = request.get("Authorization") === expected;
        response.json({
          error: isClient ? "bad_verification_code" : "incorrect_client_credentials",
        });
      })
      .post("/token", (request, response) => {
        const isClient = request.get("Authorization") === expected;
        response.status(isClient ? 400 : 401);
        response.json({ error: isClient ? "invalid_grant" : "invalid_client" });
      }),
  );
  onTestFinished(provider.stop);
  const client = { clientId: "client", clientSecret: "secret", oauthBase: provider.url };
  const nobody = "http://127.0.0.1:9";
  allowAddresses({ github: [provider.url, nobody], google: [provider.url, nobody] });
  for (const asked of [askGithub, askGoogle]) {
    expect((await asked(client)).status).toBe("pass");
    expect(await asked({ ...client, clientSecret: "other" })).toMatchObject({
      status: "fail",
      message: expect.stringContaining("refuses the client"),
    });
    expect((await asked({ ...client, oauthBase: nobody })).status).toBe("fail");
  }
});
