import { encode } from "turbo-stream";
import { beforeEach, expect, test } from "vitest";
import { type Client, createClient, signUp } from "../../helpers/client";
import { INTERACTIVE_PATHS, PAGE_PATHS } from "../../helpers/page-paths";
import { decodeState, errorsOf, readPageState, type SentErrors } from "../../helpers/page-state";
import { withTestServer } from "../../helpers/with-test-server";

// Weaknesses of packages that are excepted in security/accepted-advisories.json, each played against the
// server. The one of the route manifest is in hostile-requests.test.ts, those of targets in hostile-targets.test.ts.

const app = withTestServer({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });

let clients: Client[];
beforeEach(async () => {
  clients = [createClient(app.url), await signUp(app.url)];
});

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** Names of fields and parameters that our pages read, and some that they don't. */
const NAMES = [
  ..."prompt n size formKey intent fileId email password name code theme redirectTo".split(" "),
  ..."generation reuse example page done error errors state data result token".split(" "),
];

/** Every page and its data, by every method with every body, with this query and these bodies. */
async function* responsesTo({ query, form, body }: { query: string; form: string; body: string }) {
  for (const page of PAGE_PATHS)
    for (const path of [page, `${page}.data`])
      for (const client of clients)
        for (const init of [
          {},
          { method: "POST", headers: { "Content-Type": FORM }, body: form },
          { method: "POST", headers: { "Content-Type": JSON_TYPE }, body },
        ])
          yield { path, response: await client.fetch(`${path}?${query}`, init) };
}

const faultsLogged = async () =>
  (await app.server.allLogs()).filter(({ level }) => Number(level) >= 50);

/** Bodies that a browser would turn into an error of a class of the sender's choice, as Remix sends errors. */
const FORGED = { __type: "Error", __subType: "Function", message: "alert(1)", stack: "x" };
const FORGED_TEXTS = [
  JSON.stringify({ errors: { root: FORGED } }),
  JSON.stringify(FORGED),
  '[["SanitizedError",1],"Function","alert(1)"]',
];

async function errorsSentTo(response: Response): Promise<SentErrors> {
  return errorsOf(await readPageState(response, await response.text()));
}

async function errorsIn(stream: string): Promise<SentErrors> {
  return errorsOf(await decodeState(stream));
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

test("an error of a class that its sender chose would be found", async () => {
  const forgeries = [{ errors: { root: FORGED } }, { deep: [{ x: new TypeError("alert(1)") }] }];
  const found = await Promise.all(
    forgeries.map(async (value) => errorsIn(await textOf(encode(value)))),
  );
  const forge = () => ["SanitizedError", "Function", "alert(1)"];
  found.push(await errorsIn(await textOf(encode({}, { plugins: [forge as never] }))));
  expect(found).toEqual([
    [["Function", "alert(1)"]],
    [["TypeError", "alert(1)"]],
    [["Function", "alert(1)"]],
  ]);
});

test("CVE-2026-53666: nothing that a visitor sends comes back as an error", async () => {
  let decoded = 0;
  for (const text of FORGED_TEXTS) {
    const fields = new URLSearchParams(NAMES.map((name) => [name, text])).toString();
    const nested = "&errors[root][__type]=Error&errors.root.__subType=Function&__type=Error";
    for await (const { path, response } of responsesTo({
      query: fields + nested,
      form: fields + nested,
      body: text,
    })) {
      expect([path, response.status]).not.toEqual([path, 500]);
      if (path.endsWith(".data")) decoded += 1;
      expect([path, await errorsSentTo(response)]).toEqual([path, []]);
    }
  }
  expect(decoded).toBeGreaterThan(PAGE_PATHS.length);
  expect(await faultsLogged()).toEqual([]);
});

test("CVE-2026-53666: a fault of ours comes as one fixed error", async () => {
  const [, user] = clients;
  const sent: SentErrors = [];
  await app.sql("ALTER TABLE files RENAME TO files_away");
  await app.sql("ALTER TABLE image_generations RENAME TO image_generations_away");
  try {
    for (const path of INTERACTIVE_PATHS)
      for (const form of [path, `${path}.data`]) {
        const response = await user?.fetch(form);
        expect([form, response?.status]).toEqual([form, 500]);
        if (response) sent.push(...(await errorsSentTo(response)));
      }
  } finally {
    await app.sql("ALTER TABLE files_away RENAME TO files");
    await app.sql("ALTER TABLE image_generations_away RENAME TO image_generations");
  }
  expect(sent.length).toBeGreaterThanOrEqual(INTERACTIVE_PATHS.length);
  expect(new Set(sent.map(String))).toEqual(new Set(["Error,Unexpected Server Error"]));
});

/** Deep enough for the encoder, not too deep for what parses forms. */
const DEPTHS = [1_500, 10_000];

test("CVE-2026-34077: the encoder fails for deep values, so nothing deep may get there", async () => {
  let deep: object = {};
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  await expect(textOf(encode(deep))).rejects.toThrow("Maximum call stack");
});

test.each(DEPTHS)(
  "CVE-2026-34077: values %d deep are refused, and nobody's error",
  async (depth) => {
    const before = (await faultsLogged()).length;
    const form = ["prompt", "email", "fileId", "x"]
      .flatMap((name) => [`${name}${".a".repeat(depth)}=1`, `${name}${"[0]".repeat(depth)}=1`])
      .slice(0, Math.floor(60_000 / (3 * depth)) || 1)
      .join("&");
    const body = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const query = `prompt${"[0]".repeat(300)}=1`;
    for await (const { path, response } of responsesTo({ query, form, body })) {
      await response.text();
      expect([path, response.status]).not.toEqual([path, 500]);
    }
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect((await faultsLogged()).length).toBe(before);
  },
);
