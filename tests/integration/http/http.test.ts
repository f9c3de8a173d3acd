import { expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { DEFAULT_LOCALE, localeFromPath } from "~/i18n/locale";
import { LAST_LOCALE, OTHER_LOCALE, translatorOf } from "../../fixtures/languages";
import { createClient, signUp } from "../../helpers/client";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";
import { IN_FIVE_SECONDS } from "../../helpers/stopping-time";
import { startTestServer } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const CRON_SECRET = "cron-secret-for-tests-only";
const app = withTestServer({ CRON_SECRET });

const post = (headers: Record<string, string>, path = "/en/sign-out") =>
  fetch(app.url + path, { method: "POST", redirect: "manual", headers });

test("another site's page cannot post to us", async () => {
  const { host } = new URL(app.url);
  for (const headers of [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `https://${host}` },
    { Origin: "not an origin" },
    { "Sec-Fetch-Site": "cross-site" },
    {
      Origin: "https://evil.example",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "https",
    },
  ] as Record<string, string>[]) {
    const response = await post(headers);
    expect([headers, response.status]).toEqual([headers, 403]);
    expect(await response.json()).toMatchObject({ code: "cross_origin" });
  }
});

test("our own pages and non-browser clients can post to us", async () => {
  const allowed: Record<string, string>[] = [
    { Origin: app.url },
    {},
    { "Sec-Fetch-Site": "same-origin" },
  ];
  const responses = await Promise.all(allowed.map((headers) => post(headers)));
  expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
  const byAddress = await fetch(`${app.url.replace("localhost", "127.0.0.1")}/en/sign-out`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: app.url.replace("localhost", "127.0.0.1") },
  });
  expect(byAddress.status).toBe(303);
});

test("behind a proxy the site's own origin passes, though the Host is another", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    NEXT_PUBLIC_SITE_URL: "https://shop.example",
    TRUST_PROXY: "1",
    S3_ENDPOINT: "",
    S3_ACCESS_KEY_ID: "",
    S3_SECRET_ACCESS_KEY: "",
    S3_BUCKET_NAME: "",
  });
  try {
    const send = (headers: Record<string, string>) =>
      fetch(`${server.url}/en/sign-in`, {
        method: "POST",
        redirect: "manual",
        headers,
        body: new URLSearchParams({ email: "nobody@example.com", password: "wrong password" }),
      });
    const { host } = new URL(server.url);
    const proto = { "X-Forwarded-Proto": "https" };
    expect((await send({ Origin: "https://shop.example" })).status).toBe(400);
    expect((await send({ Origin: `https://${host}`, ...proto })).status).toBe(400);
    expect((await send({ Origin: "http://shop.example" })).status).toBe(403);
    // Many proxies pass on a value that the client made up.
    const forwarded = { Origin: "https://a.example", "X-Forwarded-Host": "a.example", ...proto };
    expect((await send(forwarded)).status).toBe(403);
    const signedUp = await createClient(server.url).post("/en/sign-up", {
      email: "proxied@example.com",
      password: "correct horse battery",
    });
    const [session, device] = signedUp.headers.getSetCookie();
    expect(session).toMatch(/^__Host-session=.*; Secure; SameSite=Lax$/);
    expect(device).toMatch(/^__Host-device=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  } finally {
    await server.stop();
  }
});

test("every response has a request id; one sent by the client is not taken over", async () => {
  for (const path of ["/en", "/api/nope", "/healthz", "/favicon.svg", "/nowhere"]) {
    const response = await fetch(app.url + path, {
      headers: { "X-Request-Id": "made-up-by-client" },
    });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("pages carry a content security policy, and no script where nothing needs one", async () => {
  const home = await fetch(`${app.url}/en`);
  const policy = home.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(await home.text()).not.toContain("<script");
});

test("the policy of a page for one visitor allows inline scripts by this response's nonce alone", async () => {
  const person = await signUp(app.url);
  const nonces = [];
  for (let visit = 0; visit < 2; visit++) {
    const page = await person.fetch("/en/files");
    const nonce = page.headers.get("content-security-policy")?.match(/'nonce-([^']+)'/)?.[1];
    const scripts = (await page.text()).match(/<script[^>]*>/g) ?? [];
    const inline = scripts.filter((script) => !/src=|type="application\/json"/.test(script));
    expect(inline.length).toBeGreaterThan(0);
    for (const script of inline) expect(script).toContain(`nonce="${nonce}"`);
    nonces.push(nonce);
  }
  expect(nonces[0]).not.toBe(nonces[1]);
  for (const nonce of nonces) expect(Buffer.from(nonce ?? "", "base64")).toHaveLength(16);
});

test.each([
  ["GET", "/api/storage/upload", "POST"],
  ["DELETE", "/api/storage/confirm", "POST"],
  ["POST", "/api/storage/files", "GET, HEAD"],
  ["PUT", "/api/storage/files/x", "GET, HEAD, DELETE"],
  ["POST", "/healthz", "GET, HEAD"],
])("%s %s is a 405 that allows %s", async (method, path, allow) => {
  const response = await fetch(app.url + path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allow);
  expect(await response.json()).toMatchObject({ code: "method_not_allowed", status: 405 });
});

test.each(["/nowhere", "/en/nowhere", "/xx", "/xx/files", "/en/files/a/b"])(
  "%s is a 404 page without details",
  async (path) => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(404);
    const t = translatorOf(localeFromPath(path));
    expect(await response.text()).toContain(t("errors.notFoundTitle"));
  },
);

test("an unknown address below /api is a problem document", async () => {
  const response = await fetch(`${app.url}/api/nope`, { method: "POST" });
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  expect(await response.json()).toMatchObject({ code: "not_found" });
});

test.each([
  [`${OTHER_LOCALE}-MX,${OTHER_LOCALE};q=0.9,en;q=0.8`, `/${OTHER_LOCALE}`],
  [`${LAST_LOCALE}-CN`, `/${LAST_LOCALE}`],
  ["xx", `/${DEFAULT_LOCALE}`],
  ["", `/${DEFAULT_LOCALE}`],
])("the start page redirects Accept-Language %j to %s", async (header, location) => {
  const response = await fetch(app.url, {
    redirect: "manual",
    headers: { "Accept-Language": header },
  });
  expect(response.headers.get("location")).toBe(location);
  expect(response.headers.get("vary")).toContain("Accept-Language");
});

test("healthz responds; readyz tells a database that is behind, and one that is away", async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  const readiness = async (authorization = "") => {
    const response = await fetch(`${app.url}/readyz`, {
      headers: authorization ? { Authorization: authorization } : {},
    });
    return { status: response.status, body: await response.json() };
  };
  await expect
    .poll(() => readiness())
    .toEqual({ status: 200, body: { status: "ready", failing: [] } });
  const [first] = await app.sql<{ name: string }>(
    "DELETE FROM app_migrations RETURNING name, checksum",
  );
  const behind = { status: "not_ready", failing: ["migrations"] };
  // A probe's result is reused for a second.
  await expect.poll(readiness).toEqual({ status: 503, body: behind });
  expect(await readiness("Bearer a guess")).toEqual({ status: 503, body: behind });
  expect(await app.server.allLogs()).toContainEqual(
    expect.objectContaining({ event: "bearer_refused", route: "/readyz" }),
  );
  expect((await readiness(`Bearer ${CRON_SECRET}`)).body).toEqual({
    ...behind,
    pendingMigrations: expect.arrayContaining([first?.name]),
  });
  const away = await startTestServer({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });
  try {
    expect((await fetch(`${away.url}/healthz`)).status).toBe(200);
    const response = await fetch(`${away.url}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: "not_ready", failing: ["database"] });
  } finally {
    await away.stop();
  }
});

test("storage that is off returns 503 and hides its page", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    S3_ENDPOINT: "",
    S3_ACCESS_KEY_ID: "",
    S3_SECRET_ACCESS_KEY: "",
    S3_BUCKET_NAME: "",
  });
  try {
    const client = await signUp(server.url);
    const reply = await client.json("POST", "/api/storage/upload", {});
    expect([reply.status, reply.body.code]).toEqual([503, "storage_disabled"]);
    expect((await client.fetch("/en/files")).status).toBe(404);
    expect(await (await client.fetch("/en")).text()).not.toContain("/en/files");
  } finally {
    await server.stop();
  }
});

test("a configuration with faults stops the start and names them all", async () => {
  const started = startTestServer({
    DATABASE_URL: "mysql://root:hunter2hunter2@db",
    AUTH_SECRET: "short",
    S3_BUCKET_NAME: "",
  });
  await expect(started).rejects.toThrow(/DATABASE_URL[\s\S]*AUTH_SECRET[\s\S]*S3_BUCKET_NAME/);
  await expect(started).rejects.not.toThrow(/hunter2/);
});

test("logs carry the request's id and no query, address, password or cookie", async () => {
  const client = createClient(app.url);
  const response = await client.post("/en/sign-in?email=secret-in-query", {
    email: "private-person@example.com",
    password: "private-password-1",
  });
  const requestId = response.headers.get("x-request-id");
  // The first request of all with X-Forwarded-For brings a warning of its own.
  const lines = () =>
    app.server.logs.filter(
      (line) => line.requestId === requestId && (line.event || line.msg === "request"),
    );
  await expect.poll(lines).toMatchObject([
    { event: "sign_in", reason: "unknown_account" },
    { method: "POST", path: "/en/sign-in", status: 400, network: "127.0.0.1" },
  ]);
  expect(JSON.stringify(await app.server.allLogs())).not.toMatch(
    /private-person|private-password|secret-in-query/,
  );
});

test(
  "SIGTERM ends the server in its time, with the response of the request in flight",
  IN_FIVE_SECONDS,
  async () => {
    const server = await startTestServer({ DATABASE_URL: app.databaseUrl });
    const person = await signUp(server.url);
    const db = connectDb(app.databaseUrl);
    try {
      const users = await holdTransaction(
        db,
        (transaction) => transaction.$executeRaw`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`,
      );
      const inFlight = person.json("GET", "/api/account/credits");
      await untilWaiting(db);
      const stopped = server.stop();
      await expect
        .poll(() => server.logs)
        .toContainEqual(expect.objectContaining({ msg: "stopping" }));
      await users.commit();
      expect((await inFlight).status).toBe(200);
      await stopped;
      expect(server.process.exitCode).toBe(0);
      // It says so when its time was over.
      const said = server.logs.map(({ msg }) => msg);
      expect(said).not.toContain("stopped before everything was closed");
    } finally {
      await db.$disconnect();
    }
  },
);
