import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { signUp } from "../../helpers/client";
import { attributeOf, type CollectedSpan, startCollector } from "../../helpers/collector";
import { giveCredits } from "../../helpers/ledger";
import { withImageServer } from "../../helpers/with-image-server";

const collector = await startCollector();
afterAll(() => collector.stop());
const KEY = "a key for the collector alone";
const app = withImageServer({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-key=${encodeURIComponent(KEY)}`,
});

const PROMPT = "a very private prompt";

test("a request, its statements, its run and the provider's calls are one trace, without what nobody may read", async () => {
  const { email, fetch: ask } = await signUp(app.url);
  await giveCredits(app, email, 100);
  const response = await ask("/api/generate-image", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: app.url },
    body: JSON.stringify({ prompt: PROMPT, n: 1, size: "square" }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  const requestId = response.headers.get("X-Request-Id");
  const find = (matches: (span: CollectedSpan) => boolean) => collector.spans().filter(matches);
  const ofRequest = (span: CollectedSpan) => attributeOf(span, "rcs.request_id") === requestId;
  await expect.poll(() => find(ofRequest)).toHaveLength(1);
  const [request] = find(ofRequest);
  expect(request).toMatchObject({ name: "POST api.generate-image" });
  const trace = find(({ traceId }) => traceId === request?.traceId);
  const named = (name: RegExp) => trace.filter((span) => name.test(span.name));
  const [run] = named(/^run image$/);
  const [row] = await app.sql<{ id: string; account_id: string }>(
    "SELECT id, account_id FROM metered_runs",
  );
  expect(run && attributeOf(run, "rcs.run_id")).toBe(row?.id);
  expect(request && attributeOf(request, "rcs.user_id")).toBe(row?.account_id);
  const calls = named(/^call fal$/);
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(call.parentSpanId).toBe(run?.spanId);
  expect(named(/^reserve_/).length).toBeGreaterThan(0);
  // Statements of Prisma's client, those of transactions among them.
  const byPrisma = collector
    .spans()
    .filter(({ name }) => /^(SELECT|INSERT|UPDATE)( [a-z_]+)?$/.test(name));
  expect(byPrisma.length).toBeGreaterThan(0);
  expect(collector.headers.every((headers) => headers["x-key"] === KEY)).toBe(true);
  const everything = collector.bodies.join("\n");
  const secrets = Object.entries(app.imagesEnv)
    .filter(([name]) => /KEY|SECRET/.test(name))
    .map(([, value]) => value);
  expect(secrets.length).toBeGreaterThan(0);
  for (const hidden of [
    PROMPT,
    email,
    KEY,
    "127.0.0.1",
    "localhost",
    "postgres://",
    "$1",
    "Bearer",
    ...secrets,
  ])
    expect(everything).not.toContain(hidden);
});

test("the sending of spans makes no spans", async () => {
  expect(collector.spans().filter(({ name }) => name.includes("traces"))).toEqual([]);
});

/** The files of the server's build that are loaded when it starts. */
function loadedAtStart(): string[] {
  const loaded = new Set<string>();
  const waiting = [path.resolve("build/server/index.js")];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const source = readFileSync(file, "utf8");
    const imports = source.matchAll(/^(?:import|export)\s[^"';]*?(?:from\s*)?["'](\.[^"']+)["']/gm);
    for (const [, target = ""] of imports) waiting.push(path.resolve(path.dirname(file), target));
  }
  return [...loaded];
}

test("without a collector nothing of the SDK is loaded", () => {
  const isSdk = (file: string) => readFileSync(file, "utf8").includes("BatchSpanProcessor");
  const loaded = loadedAtStart();
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.filter(isSdk)).toEqual([]);
  // It is in the build, so the search finds it where it is.
  const importers = loaded.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(/import\(["'](\.[^"']*open-telemetry[^"']*)["']\)/g),
    ].map(([, target = ""]) => path.resolve(path.dirname(file), target)),
  );
  expect(importers.filter(isSdk)).toHaveLength(1);
});
