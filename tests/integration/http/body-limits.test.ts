import { expect, test } from "vitest";
import { type Client, createClient, newAddress, signUp } from "../../helpers/client";
import { openUpload } from "../../helpers/raw-upload";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ TRUST_PROXY: "1" });

const KIB = 1024;

/** A JSON object of exactly this many bytes. */
const jsonOf = (bytes: number, fields: object = {}) => {
  const empty = JSON.stringify({ ...fields, filler: "" });
  return JSON.stringify({ ...fields, filler: "x".repeat(bytes - empty.length) });
};

const post = (client: Client, path: string, body: BodyInit) =>
  client.fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });

test.each([
  ["/api/payments/confirm", {}],
  ["/api/passkeys/options", { purpose: "sign_in" }],
])("%s takes 16 KiB of a stranger and no more", async (path, fields) => {
  const nobody = createClient(app.url);
  expect((await post(nobody, path, jsonOf(16 * KIB, fields))).status).toBe(200);
  const refused = await post(nobody, path, jsonOf(16 * KIB + 1, fields));
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { code: "payload_too_large" },
  ]);
});

test("a stranger's body that wasn't announced is refused where it passes 16 KiB", async () => {
  const body = new Blob([jsonOf(16 * KIB + 1)]).stream();
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  expect((await createClient(app.url).fetch("/api/payments/confirm", init)).status).toBe(413);
});

test("a signed-in sender may send a mebibyte", async () => {
  const client = await signUp(app.url);
  const confirm = (bytes: number) =>
    post(client, "/api/storage/confirm", jsonOf(bytes, { fileId: "none" }));
  expect((await confirm(1024 * KIB)).status).toBe(404);
  expect((await confirm(1024 * KIB + 1)).status).toBe(413);
});

/** Begins a body of a mebibyte, sends its first 20 KiB, and waits. */
async function longBody(address: string) {
  const head = { length: 1024 * KIB, path: "/api/payments/webhook", address };
  const body = await openUpload(app.url, createClient(app.url), head);
  await body.send(Buffer.alloc(20 * KIB, "a"));
  return body;
}

test("of 40 long bodies of one network 16 are held, and another network's are read", async () => {
  const address = newAddress();
  const bodies = await Promise.all(Array.from({ length: 40 }, () => longBody(address)));
  const refused = () =>
    bodies.filter(({ reply: response }) => response().startsWith("HTTP/1.1 429"));
  const withoutResponse = () => bodies.filter(({ reply: response }) => response() === "");
  await expect.poll(() => [refused().length, withoutResponse().length]).toEqual([24, 16]);
  const other = createClient(app.url);
  expect((await post(other, "/api/payments/webhook", jsonOf(100 * KIB))).status).not.toBe(429);
  // Short ones need no slot.
  const neighbour = createClient(app.url, address);
  expect((await post(neighbour, "/api/payments/confirm", "{}")).status).toBe(200);
  const givenUp = () =>
    bodies.filter(({ reply: response }) => response().startsWith("HTTP/1.1 408"));
  await expect.poll(givenUp, { interval: 500 }).toHaveLength(16);
  for (const { socket } of bodies) socket.destroy();
});
