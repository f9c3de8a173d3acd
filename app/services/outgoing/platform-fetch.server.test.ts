import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startCatcher } from "#tests/helpers/catcher";
import { verifyByLibrary } from "#tests/helpers/hostile-attestation";
import { silenceLog } from "#tests/helpers/silence-log";
import { closeGlobalFetch, lendFetch } from "./platform-fetch.server";

silenceLog();

beforeEach(() => {
  const open = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = open;
  });
});

test("a library that fetches an address on its own is refused, once the global fetch is closed", async () => {
  const { url, asked } = await startCatcher();
  await verifyByLibrary(`${url}/before`);
  expect(asked).toContain("/before");
  closeGlobalFetch();
  await verifyByLibrary(`${url}/after`);
  expect(asked).not.toContain("/after");
  await expect(fetch(`${url}/after?secret`)).rejects.toThrow(
    /^no fetch of 127\.0\.0\.1:\d+: calls go through app\/services\/outgoing\/ only$/,
  );
  await expect(fetch(new Request(`${url}/after`))).rejects.toThrow("no fetch of");
  expect(asked).not.toContain("/after");
});

test("a library may borrow a fetch, for as long as it was lent", async () => {
  closeGlobalFetch();
  const borrowed = async () => {
    await Promise.resolve();
    return (await fetch("https://example.com/")).text();
  };
  const lent = async () => new Response("lent");
  const [inside, outside] = await Promise.allSettled([lendFetch(lent, borrowed), borrowed()]);
  expect(inside).toMatchObject({ status: "fulfilled", value: "lent" });
  expect(outside).toMatchObject({ status: "rejected" });
});

test("Node's own fetch is kept when the file is loaded again, as Vite does after an edit", async () => {
  const open = globalThis.fetch;
  const file = fileURLToPath(new URL("platform-fetch.server.ts", import.meta.url));
  const load = (copy: number) =>
    import(`${file}?copy=${copy}`) as Promise<typeof import("./platform-fetch.server")>;
  for (const copy of [1, 2]) {
    const loaded = await load(copy);
    expect(loaded.closeGlobalFetch).not.toBe(closeGlobalFetch);
    expect(loaded.platformFetch).toBe(open);
    loaded.closeGlobalFetch();
    expect(globalThis.fetch).not.toBe(open);
  }
});
