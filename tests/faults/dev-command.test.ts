import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MIDDLE_PACK, PACK, PLAN } from "../fixtures/sold";
import { createClient } from "../helpers/client";
import { DEMO, withDevClone } from "../helpers/dev-clone";
import { buyAt, controlOf, readBalance } from "../helpers/dev-payments";
import { press } from "../helpers/payments";
import { uploadFile } from "../helpers/upload";

const { folder, runDev, tryDev, leftovers } = withDevClone();

const CACHING = "public, max-age=0, must-revalidate";

test("dev serves the real app, keeps its data across a restart, and leaves no process behind", async () => {
  const first = await runDev();
  expect(first.output()).toContain(`${DEMO.email}  /  ${DEMO.password}`);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  const client = createClient(first.url);
  expect((await client.post("/en/sign-in", DEMO)).status).toBe(303);
  const { fileId } = await uploadFile(client);
  const visitor = createClient(first.url);
  for (const provider of ["github", "google"]) {
    const { headers } = await visitor.post(`/en/auth/${provider}`, {});
    const page = await fetch(headers.get("Location") ?? "");
    expect(await page.text()).toContain("A stand-in on this machine. No password is asked for.");
  }
  await createClient(first.url).post("/en/forgot-password", { email: DEMO.email });
  await expect
    .poll(first.output, { timeout: 10_000 })
    .toMatch(
      /^Mail to demo@example\.com: Set a new password .*: http:\/\/localhost:\d+\/en\/reset-password\?token=\S+ \(\.data\/mail\/\S+\.eml\)$/m,
    );
  const mailbox = /Mailbox:\s+(\S+)/.exec(first.output())?.[1] ?? "";
  expect(await (await fetch(mailbox)).text()).toContain("Set a new password");
  first.signal("SIGINT");
  expect(await first.exited).toBe(0);
  expect(leftovers()).toEqual([]);

  const second = await runDev();
  const again = createClient(second.url);
  await again.post("/en/sign-in", DEMO);
  const file = await again.json("GET", `/api/storage/files/${fileId}`);
  expect((await fetch(file.body.url as string)).status).toBe(200);
  second.signal("SIGTERM");
  expect(await second.exited).toBe(0);
  expect(leftovers()).toEqual([]);
}, 120_000);

test("a page that says sameForAll is cached as in production, and an edit renews it", async () => {
  const dev = await runDev();
  const title = async () => {
    const page = await fetch(`${dev.url}/en/terms`);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, CACHING]);
    return /<title>([^<]*)</.exec(await page.text())?.[1];
  };
  const route = path.join(folder(), "app/routes/$locale.terms.tsx");
  const source = readFileSync(route, "utf8");
  // As if the loader read the database: each run of it has another result.
  const loader =
    'let runs = 0;\nexport function loader() {\n  return { title: "Run " + ++runs };\n}\n';
  writeFileSync(route, source.replace(/export function loader.*?\n}\n/s, loader));
  await expect.poll(title).toMatch(/^Run /);
  // One edit can be told of twice, and each renews the page.
  await expect.poll(async () => [await title(), await title()]).toSatisfy(([a, b]) => a === b);
  writeFileSync(route, source);
  await expect.poll(title).toMatch(/^Terms /);
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 120_000);

test("purchases and subscriptions at the payment stand-in survive a restart", async () => {
  const first = await runDev();
  const client = createClient(first.url);
  await client.post("/en/sign-in", DEMO);
  const before = await readBalance(client);
  await buyAt(client, "/api/payments/checkout", { skuKey: PACK.skuKey });
  const plan = { planKey: PLAN.planKey, period: "month" };
  await buyAt(client, "/api/payments/subscription/checkout", plan);
  expect(await readBalance(client)).toBe(before + PACK.credits + PLAN.creditsPerMonth);
  first.signal("SIGINT");
  expect(await first.exited).toBe(0);

  const second = await runDev();
  const again = createClient(second.url);
  await again.post("/en/sign-in", DEMO);
  const canceled = await again.json("POST", "/api/payments/subscription/cancel", {});
  expect(canceled).toMatchObject({ status: 200, body: { cancelAtPeriodEnd: true } });
  const portal = String((await again.json("POST", "/api/payments/portal")).body.url);
  const subscription = /name="subscription" value="([^"]+)"/.exec(
    await (await fetch(portal)).text(),
  )?.[1];
  await press(portal, { subscription: subscription ?? "", intent: "cancel_now" });
  // Its secrets are new since the restart, and so are the app's.
  const control = controlOf(second.output());
  await expect
    .poll(async () => (await (await fetch(`${control}/deliveries`)).json()) as object)
    .toMatchObject([
      { type: "customer.subscription.updated", attempts: [{ status: 200 }] },
      { type: "customer.subscription.deleted", attempts: [{ status: 200 }] },
    ]);
  second.signal("SIGINT");
  expect(await second.exited).toBe(0);
}, 120_000);

test("PAYMENTS_PROVIDER alone chooses the stand-in", async () => {
  const dev = await runDev([], { PAYMENTS_PROVIDER: "creem" });
  const client = createClient(dev.url);
  await client.post("/en/sign-in", DEMO);
  const before = await readBalance(client);
  const { provider } = await buyAt(client, "/api/payments/checkout", {
    skuKey: MIDDLE_PACK.skuKey,
  });
  expect(provider).toBe("creem");
  expect(await readBalance(client)).toBe(before + MIDDLE_PACK.credits);
  expect(await (await fetch(`${controlOf(dev.output())}/state`)).json()).toHaveProperty(
    "checkouts",
  );
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 180_000);

test("dev serves none of its secrets", async () => {
  const dev = await runDev();
  for (const file of ["dev.env", "auth-secret", "cron-secret"]) {
    const text = readFileSync(path.join(folder(), ".data", file), "utf8").trim();
    for (const base of ["", `/@fs${folder()}`]) {
      for (const query of ["", "?raw", "?import&raw", "?raw??", "?url", "?inline&import"]) {
        const response = await fetch(`${dev.url}${base}/.data/${file}${query}`);
        const body = await response.text();
        expect(response.ok && query !== "?url", `${base}/.data/${file}${query}`).toBe(false);
        for (const line of text.split("\n")) expect(body).not.toContain(line);
        expect(body).not.toContain(Buffer.from(text).toString("base64").slice(0, 40));
      }
    }
  }
  dev.signal("SIGINT");
  await dev.exited;
}, 180_000);

// Linux answers on all of 127.0.0.0/8, so one machine has an address dev doesn't listen on.
test.runIf(process.platform === "linux")(
  "dev listens on localhost only, unless --host is given",
  async () => {
    const elsewhere = (url: string) => url.replace("localhost", "127.0.0.2");
    const dev = await runDev();
    const client = await (await fetch(`${dev.url}/@vite/client`)).text();
    const hotReload = `http://localhost:${client.match(/const hmrPort = (\d+)/)?.[1]}`;
    for (const url of [dev.url, hotReload]) {
      expect((await fetch(url)).status, url).toBeGreaterThan(0);
      await expect(fetch(elsewhere(url)), url).rejects.toThrow("fetch failed");
    }
    dev.signal("SIGINT");
    await dev.exited;

    const open = await runDev(["--host"]);
    expect((await fetch(`${elsewhere(open.url)}/healthz`)).status).toBe(200);
    open.signal("SIGINT");
    await open.exited;
  },
  180_000,
);

test("a second dev in the same clone is refused in one line, and the first serves on", async () => {
  const dev = await runDev();
  const second = await tryDev([]);
  expect(second.status).toBe(1);
  expect(second.stderr).toMatch(/^npm run dev is already running in this clone \(pid \d+\).*\n$/);
  expect((await fetch(`${dev.url}/readyz`)).status).toBe(200);
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 120_000);

test("a configuration that dev can't start with is reported in one line, without credentials", async () => {
  const port = await tryDev([], { PORT: "abc" });
  expect(port.status).toBe(1);
  expect(port.stderr).toMatch(/^PORT is not a whole number from 0 to 65535.*\n$/);
  const database = await tryDev([], { DATABASE_URL: "postgres//ann:hunter2-secret@db:x/app" });
  expect(database.status).toBe(1);
  expect(database.stderr).toMatch(/^DATABASE_URL is not a URL.*\n$/);
  expect(database.stderr).not.toContain("hunter2");
  const ended = await tryDev([], { DATABASE_URL: "postgres://a@127.0.0.1:9/ended", PORT: "0" });
  expect(ended.stderr).toMatch(/ECONNREFUSED.*without it, dev starts PostgreSQL/);
  const argument = await tryDev(["--prot=1"]);
  expect(argument).toMatchObject({ status: 2, stdout: "" });
  const help = await tryDev(["--help"]);
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^npm run dev\n/);
}, 180_000);
