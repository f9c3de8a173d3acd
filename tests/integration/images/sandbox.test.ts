import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { drawPicture, seedOf } from "../../../scripts/sandbox/images/draw";
import { openImageSandbox } from "../../helpers/image-sandbox";

const images = openImageSandbox();

const REPLICATE_HEADERS = { "Cancel-After": "5s" };
const GOOD = {
  fal: { prompt: "a cat", num_images: 1, image_size: "square_hd" },
  replicate: { input: { prompt: "a cat", aspect_ratio: "1:1", num_outputs: 1 } },
  openai: { model: "gpt-image-2.6-flare", prompt: "a cat", n: 1, size: "1024x1024" },
};

type Provider = keyof typeof GOOD;

/** One image request in the provider's own format. */
async function call(provider: Provider, body: object, key?: string) {
  const { env } = images.sandbox;
  const { url, authorization } = {
    fal: {
      url: `${env.IMAGE_PROVIDER_1_API_BASE}/fal-ai/flux/schnell`,
      authorization: `Key ${key ?? env.IMAGE_PROVIDER_1_KEY}`,
    },
    replicate: {
      url: `${env.IMAGE_PROVIDER_2_API_BASE}/v1/models/black-forest-labs/flux-schnell/predictions`,
      authorization: `Bearer ${key ?? env.IMAGE_PROVIDER_2_KEY}`,
    },
    openai: {
      url: `${env.IMAGE_PROVIDER_3_API_BASE}/v1/images/generations`,
      authorization: `Bearer ${key ?? env.IMAGE_PROVIDER_3_KEY}`,
    },
  }[provider];
  const response = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: authorization,
      "Content-Type": "application/json",
      ...REPLICATE_HEADERS,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

test("each provider responds to a good call in its own shape", async () => {
  expect(await call("fal", GOOD.fal)).toMatchObject({
    status: 200,
    body: { request_id: expect.any(String), status: "IN_QUEUE", status_url: expect.any(String) },
  });
  expect(await call("replicate", GOOD.replicate)).toMatchObject({
    status: 201,
    body: { status: "processing", output: null, error: null, urls: { get: expect.any(String) } },
  });
  expect(await call("openai", GOOD.openai)).toMatchObject({
    status: 200,
    body: { data: [{ b64_json: expect.stringMatching(/^iVBOR/) }] },
  });
});

test("a wrong key is a 401 in the provider's own shape", async () => {
  expect(await call("fal", GOOD.fal, "wrong")).toMatchObject({
    status: 401,
    body: { detail: expect.any(String) },
  });
  expect(await call("replicate", GOOD.replicate, "wrong")).toMatchObject({
    status: 401,
    body: { title: "Unauthenticated", status: 401 },
  });
  expect(await call("openai", GOOD.openai, "wrong")).toMatchObject({
    status: 401,
    body: { error: { code: "invalid_api_key" } },
  });
});

test.each<[string, Provider, object, object]>([
  ["missing", "fal", { prompt: undefined }, { detail: [{ loc: ["body", "prompt"] }] }],
  ["unknown", "fal", { n: 1 }, { detail: [{ loc: ["body"], type: "unrecognized_keys" }] }],
  ["bad", "fal", { num_images: 5 }, { detail: [{ loc: ["body", "num_images"] }] }],
  ["missing", "replicate", { input: {} }, { title: "Input validation failed", status: 422 }],
  ["unknown", "replicate", { inptu: {} }, { title: "Input validation failed", status: 422 }],
  [
    "missing",
    "openai",
    { prompt: undefined },
    { error: { code: "missing_required_parameter", param: "prompt" } },
  ],
  [
    "unknown",
    "openai",
    { response_format: "url" },
    { error: { code: "unknown_parameter", param: "response_format" } },
  ],
  ["bad", "openai", { size: "1x1" }, { error: { code: "invalid_value", param: "size" } }],
])("a %s parameter is %s's own kind of error", async (_how, provider, change, error) => {
  const reply = await call(provider, { ...GOOD[provider], ...change });
  expect(reply).toMatchObject({ status: provider === "openai" ? 400 : 422, body: error });
});

test("a fault shows as often as it was ordered, at that provider only, and calls are counted", async () => {
  await images.control.order({ provider: "fal", fault: "503", times: 2 });
  const statuses = [];
  for (const provider of ["fal", "openai", "fal", "fal"] as const)
    statuses.push((await call(provider, GOOD[provider])).status);
  expect(statuses).toEqual([503, 200, 503, 200]);
  const { fal, openai } = await images.control.calls();
  expect([fal.generate, openai.generate]).toEqual([3, 1]);
  await images.control.reset();
  expect((await images.control.calls()).fal.generate).toBe(0);
});

test("a fault that a provider can't show is refused", async () => {
  await expect(images.control.order({ provider: "openai", fault: "hanging_poll" })).rejects.toThrow(
    "cannot show",
  );
});

test("naming a fault in the prompt shows it", async () => {
  const reply = await call("fal", { ...GOOD.fal, prompt: "a cat [sandbox:429]" });
  expect(reply.status).toBe(429);
});

test("a picture is a whole PNG of its size, the same for the same prompt and number only", () => {
  const draw = (prompt: string, number: number) => drawPicture(seedOf(prompt, number), 30, 20);
  const png = draw("a cat", 0);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([30, 20]);
  // After signature and header: the length and name of the data, then the data itself.
  const length = png.readUInt32BE(33);
  expect(png.toString("latin1", 37, 41)).toBe("IDAT");
  expect(inflateSync(png.subarray(41, 41 + length))).toHaveLength(20 * (1 + 30 * 3));
  expect(draw("a cat", 0)).toEqual(png);
  expect(draw("a cat", 1)).not.toEqual(png);
  expect(draw("a dog", 0)).not.toEqual(png);
});
