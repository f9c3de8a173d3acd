import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { createClient, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { runMaintenance, withImageServer } from "../../helpers/with-image-server";

// OpenAI returns bytes, and without storage they stay data URLs in the database.
const app = withImageServer({
  IMAGE_PROVIDER: "openai",
  S3_ENDPOINT: "",
  S3_ACCESS_KEY_ID: "",
  S3_SECRET_ACCESS_KEY: "",
  S3_BUCKET_NAME: "",
});

interface Response {
  generationId: string;
  images: { url: string; persisted: boolean }[];
}

async function personWithPictures() {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 10 * CREDITS_PER_IMAGE);
  const request = { prompt: "a lighthouse", n: 2 };
  const { status, body } = await person.json("POST", "/api/generate-image", request);
  expect(status).toBe(200);
  return { person, reply: body as unknown as Response };
}

const bytesOf = (dataUrl = "") => Buffer.from(dataUrl.split(",")[1] ?? "", "base64");

test("the response to a generation carries its data URLs, and so does its replay", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS_PER_IMAGE);
  const ask = async () => {
    const response = await person.fetch("/api/generate-image", {
      method: "POST",
      headers: { "Idempotency-Key": "once" },
      body: JSON.stringify({ prompt: "a lighthouse" }),
    });
    return (await response.json()) as Response;
  };
  const first = await ask();
  expect(first.images[0]?.url).toMatch(/^data:image\/png;base64,/);
  expect(await ask()).toEqual(first);
});

test("pages and the export carry addresses in place of data URLs", async () => {
  const { person, reply } = await personWithPictures();
  const [first, second] = [0, 1].map((index) => `/api/images/${reply.generationId}/${index}`);
  for (const path of [
    "/en/demo/image-generator",
    `/en/demo/image-generator?generation=${reply.generationId}`,
    "/en/demo/image-generator.data",
    "/en/account/export",
  ]) {
    const text = await (await person.fetch(path)).text();
    expect([path, text.includes("data:image")]).toEqual([path, false]);
    expect([path, text.includes(first ?? "no address")]).toEqual([path, true]);
  }
  const account = await (await person.fetch("/en/account/export")).json();
  expect(account.generations).toMatchObject([
    { prompt: "a lighthouse", images: [{}, { url: `${app.url}${second}`, persisted: false }] },
  ]);
});

test("the address returns the image to its owner only", async () => {
  const { person, reply } = await personWithPictures();
  const address = `/api/images/${reply.generationId}/1`;
  const picture = await person.fetch(address);
  expect(picture.status).toBe(200);
  expect(Buffer.from(await picture.arrayBuffer()).equals(bytesOf(reply.images[1]?.url))).toBe(true);
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "cross-origin-resource-policy": "same-origin",
  });
  expect((await createClient(app.url).fetch(address)).status).toBe(401);
  const stranger = await (await signUp(app.url)).json("GET", address);
  expect([stranger.status, stranger.body.code]).toEqual([404, "image_not_found"]);
});

test("a picture that the browser has is not sent again, while its session lasts", async () => {
  const { person, reply } = await personWithPictures();
  const addressOf = (index: number) => `/api/images/${reply.generationId}/${index}`;
  const address = addressOf(0);
  const etag = (await person.fetch(address)).headers.get("etag") ?? "";
  const again = (client: typeof person | ReturnType<typeof createClient>, path = address) =>
    client.fetch(path, { headers: { "If-None-Match": etag } });
  expect((await again(person)).status).toBe(304);
  expect((await again(person, addressOf(1))).status).toBe(200);
  expect((await again(await signUp(app.url))).status).toBe(404);
  expect((await again(createClient(app.url))).status).toBe(401);
});

test.each(["2", "-1", "x", "1e0", "0x1", "99999999999"])("there is no image %j", async (index) => {
  const { person, reply } = await personWithPictures();
  const missing = await person.json("GET", `/api/images/${reply.generationId}/${index}`);
  expect([missing.status, missing.body.code]).toEqual([404, "image_not_found"]);
});

test("a response that claims to be an image but isn't one is not served", async () => {
  const { person, reply } = await personWithPictures();
  const svg = `data:image/svg+xml;base64,${Buffer.from("<svg onload='alert(1)'/>").toString("base64")}`;
  await app.sql("UPDATE image_generations SET images = $2 WHERE id = $1", [
    reply.generationId,
    JSON.stringify([{ url: svg, persisted: false, fileId: null }]),
  ]);
  expect((await person.fetch(`/api/images/${reply.generationId}/0`)).status).toBe(404);
});

test("the pictures and their addresses are gone after a day", async () => {
  const { person, reply } = await personWithPictures();
  const addressOf = (index: number) => `/api/images/${reply.generationId}/${index}`;
  const address = addressOf(0);
  const etag = (await person.fetch(address)).headers.get("etag") ?? "";
  await app.sql("UPDATE metered_runs SET settled_at = settled_at - interval '25 hours'");
  await runMaintenance(app.url);
  const gone = await person.fetch(address, { headers: { "If-None-Match": etag } });
  expect(gone.status).toBe(404);
});
