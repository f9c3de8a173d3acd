import { readFile } from "node:fs/promises";
import https from "node:https";
import path from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { parse } from "#tests/fixtures/env";
import { unset } from "#tests/fixtures/preflight";
import { httpLimits } from "~/server/http/http-limits.server";
import { freePort } from "../../../scripts/lib/free-port";
import { fillIn, readDocBlock } from "../../helpers/doc-blocks";
import { startNginx } from "../../helpers/nginx";
import { hasProgram } from "../../helpers/program";
import { runScript } from "../../helpers/run-script";
import { createTestDatabase } from "../../helpers/test-database";
import { startTestServer } from "../../helpers/test-server";

const PAGE = "docs/one-machine.md";
const SITE = readDocBlock(PAGE, "nginx", "listen 443");
const CRON_SECRET = "cron-secret-of-the-test";

/** Requests a path over TLS without checking the certificate, which is the test's own. */
function request(port: number, target: string, options: https.RequestOptions = {}, body = "") {
  return new Promise<number>((resolve, reject) => {
    const settings = { host: "127.0.0.1", port, path: target, rejectUnauthorized: false };
    https
      .request({ ...settings, servername: "shop.example.com", ...options }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode ?? 0));
      })
      .once("error", reject)
      .end(body);
  });
}

test("the page's time-outs outlast the server's, and close idle connections before it does", () => {
  const limits = httpLimits({ ttl: parse().ttl });
  const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s`).exec(SITE)?.[1]);
  expect(seconds("proxy_read_timeout")).toBeGreaterThan(parse().ttl.generation);
  expect(seconds("proxy_read_timeout") * 1000).toBeLessThanOrEqual(limits.idleTimeout);
  expect(seconds("keepalive_timeout") * 1000).toBeLessThan(limits.keepAliveTimeout);
  expect(SITE).toContain(`large_client_header_buffers 4 ${limits.maxHeaderSize / 1024}k`);
  const others = [readDocBlock("docs/more-than-one-process.md", "nginx", "listen 8080"), SITE];
  for (const site of others) expect(site).toContain("client_max_body_size 12m");
});

test.skipIf(!hasProgram("nginx"))("the site of one machine works behind its nginx", async () => {
  const app = await startTestServer({
    DATABASE_URL: await createTestDatabase(),
    NEXT_PUBLIC_SITE_URL: "https://shop.example.com",
    HOST: "127.0.0.1",
    TRUST_PROXY: "1",
    CRON_SECRET,
    // The tests' own bucket may not belong to a public site.
    ...unset(inject("s3Env")),
  });
  onTestFinished(app.stop);
  const appPort = new URL(app.url).port;
  const [tls, plain] = [await freePort(), await freePort()];
  const folder = await startNginx(
    (files) =>
      fillIn(SITE, {
        "127.0.0.1:3000": `127.0.0.1:${appPort}`,
        "listen 80;": `listen 127.0.0.1:${plain};`,
        "listen [::]:80;": "",
        "listen 443 ssl http2;": `listen 127.0.0.1:${tls} ssl http2;`,
        "listen [::]:443 ssl http2;": "",
        "/etc/letsencrypt/live/shop.example.com/fullchain.pem": `${files}/cert.pem`,
        "/etc/letsencrypt/live/shop.example.com/privkey.pem": `${files}/key.pem`,
        "/var/log/nginx/credits.log": `${files}/access.log`,
      }),
    tls,
  );
  const headers = { Host: "shop.example.com" };

  expect(await request(tls, "/readyz", { headers })).toBe(200);
  const forged = { ...headers, "X-Forwarded-For": "203.0.113.9" };
  expect(await request(tls, "/en/terms?token=a-secret", { headers: forged })).toBe(200);
  await expect
    .poll(() => app.logs.filter(({ msg }) => msg === "request"))
    .toMatchObject([{ path: "/en/terms", network: "127.0.0.1" }]);
  await expect.poll(() => readFile(path.join(folder, "access.log"), "utf8")).toContain("/en/terms");
  expect(await readFile(path.join(folder, "access.log"), "utf8")).not.toContain("a-secret");

  const big = { headers: { ...headers, "Content-Length": "13000000" }, method: "POST" };
  expect(await request(tls, "/api/storage/upload", big)).toBe(413);
  const redirected = await fetch(`http://127.0.0.1:${plain}/en/terms?a=b`, { redirect: "manual" });
  expect(redirected.headers.get("location")).toBe("https://shop.example.com/en/terms?a=b");
  const inTheClear = await fetch(`http://127.0.0.1:${plain}/api/account/credits`, {
    redirect: "manual",
  });
  expect(inTheClear.status).toBe(403);

  // The scheduler's unit calls the server past nginx.
  const unit = readDocBlock(PAGE, "ini", "cron.js");
  const [, args = ""] = /^ExecStart=\S+ build\/commands\/cron\.js (.*)$/m.exec(unit) ?? [];
  const once = ["--once", "maintenance", ...args.replace("3000", appPort).split(" ")];
  expect(
    await runScript("scripts/cron/cron.command.ts", once, {
      CRON_SECRET,
      NEXT_PUBLIC_SITE_URL: "https://shop.example.com",
    }),
  ).toMatchObject({ code: 0 });
});

test.skipIf(!hasProgram("nginx"))(
  "two servers behind nginx share the load, and one may end",
  async () => {
    const DATABASE_URL = await createTestDatabase();
    const start = () => startTestServer({ DATABASE_URL, TRUST_PROXY: "1", HOST: "127.0.0.1" });
    const [first, second] = await Promise.all([start(), start()]);
    const port = await freePort();
    await startNginx(
      () =>
        fillIn(readDocBlock("docs/more-than-one-process.md", "nginx", "listen 8080"), {
          "127.0.0.1:3000": new URL(first.url).host.replace("localhost", "127.0.0.1"),
          "127.0.0.1:3001": new URL(second.url).host.replace("localhost", "127.0.0.1"),
          "listen 8080": `listen 127.0.0.1:${port}`,
        }),
      port,
    );
    const visit = async () => (await fetch(`http://127.0.0.1:${port}/en/terms`)).status;
    const visits = () => Promise.all(Array.from({ length: 10 }, visit));
    expect(new Set(await visits())).toEqual(new Set([200]));
    for (const { logs } of [first, second])
      await expect.poll(() => logs.some(({ msg }) => msg === "request")).toBe(true);
    await first.stop();
    expect(new Set(await visits())).toEqual(new Set([200]));
    await second.stop();
  },
);
