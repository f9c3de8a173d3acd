import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkTextOnline } from "../../../scripts/preflight/online/text-online";
import { serveLocally } from "../../../scripts/sandbox/serve-locally";
import { REQUIRED, type Source } from "../../fixtures/preflight";
import { openTextSandbox } from "../../helpers/text-sandbox";

const text = openTextSandbox();

async function ask(change: Source = {}) {
  const site = { NEXT_PUBLIC_SITE_URL: "http://localhost:3000" };
  const source = { ...REQUIRED, ...site, ...text.sandbox.env, ...change };
  const configuration = readConfiguration(source);
  allowAddressesOf(configuration.env);
  const [check] = await checkTextOnline(configuration);
  return check;
}

test("a provider that takes the key and has the model passes, and writes nothing", async () => {
  expect(await ask()).toMatchObject({
    id: "online.text-model",
    status: "pass",
    message: "the text provider takes the key and has sandbox-writer",
  });
  expect((await text.control.calls()).completions).toBe(0);
});

test("what is off or incomplete is not asked", async () => {
  expect(await ask({ NEXT_PUBLIC_ENABLE_TEXT_GENERATION: "" })).toMatchObject({ status: "skip" });
  expect(await ask({ TEXT_PROVIDER_KEY: "" })).toMatchObject({ status: "skip" });
  expect(await ask({ TEXT_PROVIDER_MODEL: "" })).toMatchObject({ status: "skip" });
});

test.each<[string, Source, string]>([
  ["a wrong key", { TEXT_PROVIDER_KEY: "sandbox-other" }, "refuses TEXT_PROVIDER_KEY (401)"],
  ["an unknown model", { TEXT_PROVIDER_MODEL: "gone" }, "has no model gone"],
  [
    "a model that has ended",
    { TEXT_PROVIDER_MODEL: "sandbox-writer-old" },
    "ended sandbox-writer-old",
  ],
  ["a dead address", { TEXT_PROVIDER_API_BASE: "http://127.0.0.1:9" }, "ECONNREFUSED"],
])("%s fails", async (_what, change, message) => {
  expect(await ask(change)).toMatchObject({
    status: "fail",
    message: expect.stringContaining(message),
    action: expect.stringMatching(/./),
  });
});

test("an address that lists no models fails, and a model that ends soon warns", async () => {
  const days = (count: number) =>
    new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
  const app = express();
  app.get("/soon/v1/models", (_request, response) => {
    response.json({ data: [{ id: "sandbox-writer", shutdown_date: days(30) }] });
  });
  app.get("/late/v1/models", (_request, response) => {
    response.json({ data: [{ id: "sandbox-writer", shutdown_date: days(365) }] });
  });
  const { url, stop } = await serveLocally(0, () => app);
  onTestFinished(stop);
  const at = (path: string) => ask({ TEXT_PROVIDER_API_BASE: `${url}/${path}` });
  expect(await at("none")).toMatchObject({
    status: "fail",
    message: "the text provider did not list its models (404)",
  });
  expect(await at("soon")).toMatchObject({
    status: "warn",
    message: `the text provider ends sandbox-writer on ${days(30)}`,
  });
  expect(await at("late")).toMatchObject({ status: "pass" });
});
