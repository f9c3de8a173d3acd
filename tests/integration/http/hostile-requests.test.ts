import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, signUp } from "../../helpers/client";
import { type Probe, startProbe } from "../../helpers/probe";
import { sendBytes, sendRaw } from "../../helpers/raw-request";
import { putObject, requestUpload } from "../../helpers/upload";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

/** Milliseconds within which `/healthz` must respond on a quiet machine during an attack. */
const LIMIT_MS = 300;
/** Milliseconds after which no further round is tried. */
const PATIENCE_MS = 20_000;

let probe: Probe;
let client: Client;

beforeAll(async () => {
  probe = startProbe(`${app.url}/healthz`);
  client = await signUp(app.url);
  // The first page of a process compiles its code.
  await client.fetch("/en/sign-in");
});

afterAll(() => probe.stop());

/**
 * Runs an attack four times at once. Expects the attack's own response, and `/healthz` within the
 * limit meanwhile. Other tests share the machine, so times are divided by its present slowness, and
 * the best of all rounds counts.
 */
async function expectHarmless(
  attack: () => Promise<number>,
  statuses: number[],
  copies = 4,
): Promise<void> {
  const delays: number[] = [];
  const began = Date.now();
  do {
    let responded: number[] = [];
    const { slowest, slowness } = await probe.measureDuring(async () => {
      responded = await Promise.all(Array.from({ length: copies }, attack));
    });
    expect(responded.filter((status) => !statuses.includes(status))).toEqual([]);
    delays.push(slowest / slowness);
    if (Math.min(...delays) < LIMIT_MS) return;
  } while (Date.now() - began < PATIENCE_MS);
  expect(Math.min(...delays), `healthz after ${delays.map(Math.round)} ms`).toBeLessThan(LIMIT_MS);
}

const HEAD = ["Host: localhost", "Connection: close"];

const get = async (target: string, ...headers: string[]) =>
  (await sendRaw(app.url, [`GET ${target} HTTP/1.1`, ...HEAD, ...headers])).status;

async function post(target: string, contentType: string, body: string | Buffer) {
  const bytes = Buffer.from(body);
  const head = [
    `POST ${target} HTTP/1.1`,
    ...HEAD,
    // A signed-in user is redirected from the sign-in form before the body is read.
    ...(target === "/en/sign-in" ? [] : [`Cookie: ${client.cookie()}`]),
    `Content-Type: ${contentType}`,
    `Content-Length: ${bytes.length}`,
  ].join("\r\n");
  return (await sendBytes(app.url, Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes]))).status;
}

const json = (target: string, body: string) => post(target, "application/json", body);
const form = (body: string) => post("/en/sign-in", "application/x-www-form-urlencoded", body);
const multipart = (target: string, body: string) =>
  post(target, "multipart/form-data; boundary=x", body);

/**
 * A server that refuses early may close before its response is read. A user has two uploads at once;
 * more get a 429.
 */
const REFUSED_EARLY = [400, 0, 429];

/** Repeats the piece up to this many characters. */
const fill = (piece: string, length: number) => piece.repeat(length / piece.length);

const HEADER_ROOM = 15_000;
const BODY_ROOM = 1_000_000;
const SVG_OF_DOCTYPES = Buffer.from(`${"<!DOCTYPE svg aaaaaaaaaa>".repeat(12)}x`);

test("an SVG of 300 bytes that is nothing but doctypes, confirmed as JSON", async () => {
  const contentType = "image/svg+xml";
  await expectHarmless(async () => {
    const upload = await requestUpload(client, { content: SVG_OF_DOCTYPES, contentType });
    await putObject(upload, SVG_OF_DOCTYPES, contentType);
    const confirmed = await client.json("POST", "/api/storage/confirm", { fileId: upload.fileId });
    return confirmed.status;
  }, [422]);
});

test("the same SVG through the form", async () => {
  const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.svg"\r\nContent-Type: image/svg+xml\r\n\r\n${SVG_OF_DOCTYPES}\r\n--x--\r\n`;
  await expectHarmless(() => multipart("/en/files", part), [400, 422, 429]);
});

test.each([
  ["a path of 3,700 segments", `p=${"/a".repeat(3_700)}`],
  ["1,250 paths", "p=/a&".repeat(1_250)],
])("lazy route discovery for %s", async (_what, query) => {
  // It responds only to clients that have the current build.
  const manifest = readdirSync("build/client/assets").find((name) => name.startsWith("manifest-"));
  const version = manifest?.match(/manifest-([0-9a-f]+)\.js/)?.[1];
  expect(version).toBeDefined();
  await expectHarmless(() => get(`/__manifest?version=${version}&${query}`), [404]);
});

test.each([
  ["7,400 slashes", "/".repeat(7_400), 414],
  ["a path of 7,000 segments", "/a".repeat(7_000), 414],
  ["a thousand slashes before a name", `${"/".repeat(1_000)}x`, 404],
  ["a path of 500 segments", "/a".repeat(500), 404],
  ["the data of a path of slashes", `${"/".repeat(1_000)}a.data`, 404],
  ["percent-encoded slashes", "/%2f".repeat(250), 404],
  ["broken percent-encoding", `/en/${"%E0%A4".repeat(150)}`, 404],
  ["a path that goes up and down", "/a/..".repeat(200), 400],
  ["a query of 15 kB", `/en/sign-in?${fill("a=b&", HEADER_ROOM)}`, 414],
  ["a query of 2,000 fields", `/en/sign-in?${"a=b&".repeat(2_000)}`, 200],
  ["a way back of slashes", `/en/sign-in?redirectTo=${"/".repeat(8_000)}`, 200],
  ["a list of 4,000 routes", `/en.data?_routes=${"a,".repeat(4_000)}`, 200],
])("%s", async (_what, target, status) => {
  await expectHarmless(() => get(target), [status]);
});

test.each([
  ["languages", "/", "Accept-Language", "en-,", [302]],
  ["languages with qualities", "/", "Accept-Language", "a;q=0.1,", [302]],
  ["spaces in a language", "/", "Accept-Language", " ", [302]],
  ["encodings", "/en", "Accept-Encoding", "a;q=0.5,", [200]],
  ["media types", "/en", "Accept", "a/b,", [200]],
  ["session cookies", "/en", "Cookie", "session=a; ", [200]],
  ["cookies", "/en", "Cookie", "a=b;", [200]],
  ["percent signs in a cookie", "/en", "Cookie", "session=%;", [200]],
  ["names of a browser", "/en", "User-Agent", "Mozilla/5.0 (", [200]],
  ["words in a browser's name", "/en", "User-Agent", "; a.1", [200]],
  ["ranges", "/favicon.svg", "Range", "bytes=0-0,", [200, 206, 416]],
  ["entity tags for a file", "/favicon.svg", "If-None-Match", 'W/"a",', [200]],
  ["entity tags for a document", "/api/openapi.json", "If-None-Match", 'W/"a",', [200]],
  ["spaces in a cache directive", "/favicon.svg", "Cache-Control", "no-cache  ", [200]],
  ["forwarded addresses", "/en", "X-Forwarded-For", "192.0.2.1, ", [200]],
  ["bearers", "/readyz", "Authorization", "Bearer ", [200]],
] as const)("15 kB of %s", async (_what, target, name, piece, statuses) => {
  const header = `${name}: ${fill(piece, HEADER_ROOM)}x`;
  await expectHarmless(() => get(target, header), [...statuses]);
});

// Node's parser takes 1,000 fields since 24.21, and 22 drops what is beyond its limit.
test.each([
  [900, [200]],
  [1_900, [200, 431]],
])("%i headers, of as many names and of one", async (count, statuses) => {
  const names = Array.from({ length: count }, (_, at) => `a${at}:`);
  await expectHarmless(() => get("/en", ...names), statuses);
  await expectHarmless(() => get("/en", ...names.map(() => "a: b")), statuses);
});

test("a host name of 15 kB", async () => {
  const lines = ["GET /en HTTP/1.1", `Host: ${"a".repeat(HEADER_ROOM)}`, "Connection: close"];
  await expectHarmless(async () => (await sendRaw(app.url, lines)).status, [400]);
});

test.each([
  ["arrays in arrays", fill("[", BODY_ROOM)],
  ["objects in objects", `${'{"a":'.repeat(BODY_ROOM / 6)}1${"}".repeat(BODY_ROOM / 6)}`],
  ["fields", JSON.stringify(Object.fromEntries(Array.from(Array(80_000), (_, at) => [at, 1])))],
  ["one number", fill("9", BODY_ROOM)],
  ["escapes", `"${fill("\\u0000", BODY_ROOM)}"`],
])("a megabyte of JSON that is %s", async (_what, body) => {
  // More than a stranger may send.
  await expectHarmless(() => json("/api/payments/confirm", body), [413]);
  await expectHarmless(() => json("/api/storage/upload", body), [400]);
});

test.each([
  ["a file name", JSON.stringify({ filename: "é".repeat(400_000), contentType: "image/png" })],
  ["a folder", JSON.stringify({ filename: "a", folder: "a/".repeat(400_000) })],
])("a megabyte of JSON with %s", async (_what, body) => {
  await expectHarmless(() => json("/api/storage/upload", body), [400]);
});

test.each([
  ["separators", "&"],
  ["fields", "a&"],
  ["fields that a form library would grow", "email[999999999]=x&"],
  ["an address", "email=a@a.a@"],
  ["spaces", "email=+"],
  ["broken percent-encoding", "email=%"],
])("a form of %s, as long as is taken and longer", async (_what, piece) => {
  await expectHarmless(() => form(fill(piece, 65_000)), [400]);
  await expectHarmless(() => form(fill(piece, BODY_ROOM)), [413]);
});

test.each([
  ["boundaries", "--x\r\n"],
  ["headers", "--x\r\na: b\r\n"],
  ["line ends", "\r\n"],
  ["dashes", "-"],
])("a broken multipart form of %s", async (_what, piece) => {
  await expectHarmless(() => multipart("/en/sign-in", fill(piece, 65_000)), [400]);
  await expectHarmless(() => multipart("/en/files", fill(piece, BODY_ROOM)), REFUSED_EARLY);
});

test("an upload with many near-matches of its boundary", async () => {
  const boundary = "a".repeat(7_000);
  const body = fill(`\r\n--${boundary.slice(0, -1)}b`, 4 * BODY_ROOM);
  const type = `multipart/form-data; boundary=${boundary}`;
  await expectHarmless(() => post("/en/files", type, body), REFUSED_EARLY);
});

test("a body in 300,000 chunks of one byte", async () => {
  const head = ["POST /api/payments/confirm HTTP/1.1", ...HEAD, "Transfer-Encoding: chunked"];
  const bytes = `${head.join("\r\n")}\r\n\r\n${"1\r\na\r\n".repeat(300_000)}0\r\n\r\n`;
  // Cut, which shows as no response.
  await expectHarmless(async () => (await sendBytes(app.url, bytes)).status, [0]);
});

test("a thousand requests in one packet", async () => {
  const request = `GET /en HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser\r\n\r\n`;
  await expectHarmless(
    async () => (await sendBytes(app.url, request.repeat(1_000))).status,
    [0, 200],
  );
});

test("two hundred connections whose headers drip in", async () => {
  const { port } = new URL(app.url);
  const sockets = Array.from({ length: 200 }, () => connect(Number(port), "localhost"));
  try {
    for (const socket of sockets) socket.on("error", () => undefined).write("GET / HTTP/1.1\r\nX:");
    const dripping = setInterval(() => {
      for (const socket of sockets) socket.write("a");
    }, 10);
    await expectHarmless(() => get("/en"), [200]);
    clearInterval(dripping);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test("two hundred probes of readiness at once", async () => {
  await expectHarmless(async () => (await fetch(`${app.url}/readyz`)).status, [200], 200);
});

test("all of these attacks left no error line in the log", async () => {
  const logs = await app.server.allLogs();
  expect(logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
