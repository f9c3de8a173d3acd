import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkImagesOnline } from "../../../scripts/preflight/online/images-online";
import { serveLocally } from "../../../scripts/sandbox/serve-locally";
import { REQUIRED, type Source } from "../../fixtures/preflight";
import { openImageSandbox } from "../../helpers/image-sandbox";

const images = openImageSandbox();

async function ask(change: Source) {
  const site = { NEXT_PUBLIC_SITE_URL: "http://localhost:3000" };
  const configuration = readConfiguration({ ...REQUIRED, ...site, ...change });
  allowAddressesOf(configuration.env);
  const checks = await checkImagesOnline(configuration);
  return Object.fromEntries(
    checks.map(({ id, ...check }) => [id.slice("online.images-".length), check]),
  );
}

const askSandbox = (change: Source = {}) => ask({ ...images.sandbox.env, ...change });

test("providers that take the keys and have the models pass, and make no image", async () => {
  const checks = await askSandbox();
  expect(Object.values(checks).map(({ status, message }) => `${status} ${message}`)).toEqual([
    "pass fal takes the key and has fal-ai/flux/schnell",
    "pass Replicate takes the key and has black-forest-labs/flux-schnell",
    "pass OpenAI takes the key and has gpt-image-2.6-flare",
  ]);
});

test("what is off, or has no key, is not asked", async () => {
  const off = await askSandbox({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "false" });
  expect(Object.values(off).map(({ status }) => status)).toEqual(["skip", "skip", "skip"]);
  expect((await askSandbox({ IMAGE_PROVIDER_2_KEY: "" })).replicate).toMatchObject({
    status: "skip",
    message: "Replicate has no key",
  });
});

test.each([
  ["fal", "IMAGE_PROVIDER_1", "fal-ai/none"],
  ["replicate", "IMAGE_PROVIDER_2", "nobody/none"],
  ["openai", "IMAGE_PROVIDER_3", "gpt-image-1"],
])(
  "%s: a wrong key, a model that is gone and an address that is dead fail",
  async (name, prefix, gone) => {
    expect((await askSandbox({ [`${prefix}_KEY`]: "sandbox-other" }))[name]).toMatchObject({
      status: "fail",
      message: expect.stringContaining(`refuses ${prefix}_KEY (401)`),
    });
    expect((await askSandbox({ [`${prefix}_MODEL`]: gone }))[name]).toMatchObject({
      status: "fail",
      message: expect.stringContaining(`has no model ${gone}`),
      action: `set ${prefix}_MODEL to a current model`,
    });
    expect(
      (await askSandbox({ [`${prefix}_API_BASE`]: "http://127.0.0.1:9" }))[name],
    ).toMatchObject({
      status: "fail",
      message: expect.stringContaining("did not respond: ECONNREFUSED"),
    });
  },
);

const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test.each([
  ["in a year", inDays(365), "pass", "takes the key"],
  ["in 30 days", inDays(30), "warn", `OpenAI ends gpt-image-2.6-flare on ${inDays(30)}`],
  ["last week", inDays(-7), "fail", `OpenAI ended gpt-image-2.6-flare on ${inDays(-7)}`],
  ["never", null, "pass", "takes the key"],
])("a model that ends %s", async (_when, shutdownDate, status, message) => {
  const openai = await serveLocally(0, () =>
    express().get("/v1/models/:model", (_request, response) => {
      response.json({ shutdown_date: shutdownDate });
    }),
  );
  onTestFinished(openai.stop);
  expect((await askSandbox({ IMAGE_PROVIDER_3_API_BASE: openai.url })).openai).toMatchObject({
    status,
    message: expect.stringContaining(message),
  });
});
