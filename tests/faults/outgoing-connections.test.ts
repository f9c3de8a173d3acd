import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { STRIPE_EVENT_TYPES } from "~/services/payments/stripe/stripe-inspection.server";
import { creemEvent, creemSubscriptionOf, packCheckout } from "../fixtures/creem";
import { MIDDLE_PACK, PLAN } from "../fixtures/sold";
import { newInvoice, newSubscription, stripeEvent } from "../fixtures/stripe";
import { createAuthenticator } from "../helpers/authenticator";
import { createClient } from "../helpers/client";
import { PASSKEYS_PAGE, passkeyOptions } from "../helpers/factors";
import { FORMATS, withHostileStatement } from "../helpers/hostile-attestation";
import { json, redirect } from "../helpers/hostile-provider";
import { sendRaw } from "../helpers/raw-request";
import { SVG } from "../helpers/sample-files";
import { signWebhook } from "../helpers/signed-webhook";
import { uploadFile } from "../helpers/upload";
import { addressesOf, insideUrls, withWatchedSites } from "../helpers/watched-sites";
import { runMaintenance } from "../helpers/with-image-server";

// Nobody can make the server connect to an address that the configuration doesn't name.

const { shop, kiosk, provider, watch, inside, listAddresses, newEmail, newPerson } =
  await withWatchedSites();
const ADDRESSES = addressesOf(inside);
const INSIDE_URLS = insideUrls(inside);

test.each(FORMATS)("a passkey with an attestation of format %s", async (format) => {
  const person = await newPerson(shop);
  const { publicKey, register } = createAuthenticator(shop.url);
  const reply = register(await passkeyOptions(person, "register"));
  const crlUrl = `${inside}/crl`;
  const response = await withHostileStatement(reply, { format, publicKey, crlUrl });
  expect((await person.post(PASSKEYS_PAGE, { response })).status).toBe(303);
});

test.each(["github", "google"] as const)(
  "responses of %s, at each step of a sign-in",
  async (name) => {
    const [token, person] =
      name === "github"
        ? (["/github/login/oauth/access_token", "/github-api/user"] as const)
        : (["/google/token", "/google/v1/userinfo"] as const);
    const good = { access_token: "x", token_type: "bearer", ...ADDRESSES };
    const steps = [
      { [token]: redirect(`${inside}/token`) },
      { [token]: redirect("http://169.254.169.254/latest/meta-data/", 302) },
      { [token]: json({ error: "x", error_uri: inside, ...ADDRESSES }, 400) },
      { [token]: json(good), [person]: redirect(`${inside}/user`, 302) },
      { [token]: json(good), [person]: json({ id: 7, login: inside, ...ADDRESSES }) },
      { [token]: json(good), [person]: json({ sub: inside, email: `x@[169.254.169.254]` }) },
    ];
    for (const step of steps) {
      Object.assign(provider.responses, step);
      const client = createClient(shop.url);
      const page = await client.post(`/en/auth/${name}`, { redirectTo: inside });
      const state = new URL(page.headers.get("Location") ?? "").searchParams.get("state") ?? "";
      const query = new URLSearchParams({ state, code: "code", iss: inside, redirect_uri: inside });
      const back = await client.fetch(`/auth/${name}/callback?${query}`);
      expect([302, 303]).toContain(back.status);
    }
    expect(provider.asked.filter((path) => path.startsWith(token))).toHaveLength(steps.length);
    expect(provider.asked.filter((path) => path.startsWith(person)).length).toBeGreaterThan(2);
  },
);

test("responses about breached passwords: a redirect, an endless one, and none", async () => {
  const responses = [
    redirect(`${inside}/range`),
    json(ADDRESSES),
    (_request: unknown, response: import("node:http").ServerResponse) =>
      void response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(2e8))),
    () => undefined,
  ];
  for (const reply of responses) {
    provider.responses["/breach"] = reply;
    const email = newEmail();
    const fields = { email, password: "long walnut harbour 58", redirectTo: inside };
    const { status } = await createClient(shop.url).post("/en/sign-up", fields);
    expect(status).toBe(303);
  }
  expect(provider.asked).toHaveLength(responses.length);
});

test.each(["stripe", "creem"] as const)("responses of %s to a purchase", async (name) => {
  const app = name === "stripe" ? shop : kiosk;
  const person = await newPerson(app);
  const responses = [
    redirect(`${inside}/checkout`),
    redirect("http://169.254.169.254/", 303),
    json({ error: { message: inside, doc_url: inside, ...ADDRESSES } }, 400),
    json({ id: "x", checkout_url: inside, expires_at: 2_000_000_000, ...ADDRESSES }),
  ];
  for (const reply of responses) {
    provider.responses[`/${name}`] = reply;
    for (const [path, body] of [
      ["/api/payments/checkout", { skuKey: MIDDLE_PACK.skuKey }],
      ["/api/payments/subscription/checkout", { planKey: PLAN.planKey, period: "month" }],
    ] as const) {
      const { status } = await person.json("POST", path, body);
      expect([200, 502]).toContain(status);
    }
  }
  expect(provider.asked.length).toBeGreaterThanOrEqual(2 * responses.length);
});

test.each(["stripe", "creem"] as const)(
  "webhooks of %s that are full of addresses",
  async (name) => {
    const app = name === "stripe" ? shop : kiosk;
    const creem = readFileSync("app/services/payments/creem/creem-delivery.ts", "utf8");
    const creemTypes = [...creem.matchAll(/case "([\w.]+)":/g)].map(([, type = ""]) => type);
    const types = name === "stripe" ? STRIPE_EVENT_TYPES : creemTypes;
    expect(types.length).toBeGreaterThan(10);
    for (const [number, type] of types.entries()) {
      const metadata = { user_id: inside, site: new URL(app.url).host, ...ADDRESSES };
      const object =
        name === "stripe"
          ? { ...newSubscription(), ...newInvoice(), ...ADDRESSES, metadata }
          : { ...packCheckout, ...creemSubscriptionOf(), ...ADDRESSES, metadata };
      const more = { id: `evt_outgoing_${number}`, ...ADDRESSES };
      const event =
        name === "stripe" ? stripeEvent(type, object, more) : creemEvent(type, object, more);
      const { rawBody, headers } = signWebhook({ provider: name, env: provider.env() }, event);
      headers.set("Origin", inside);
      const body = rawBody as Uint8Array<ArrayBuffer>;
      const reply = await fetch(`${app.url}/api/payments/webhook`, {
        method: "POST",
        body,
        headers,
      });
      // A wrong signature would be a 400.
      expect([200, 500], type).toContain(reply.status);
    }
  },
);

test("finished pictures inside, from a provider that isn't on this machine", async () => {
  const person = await newPerson(shop);
  const urls = [...INSIDE_URLS, inside, "file:///etc/passwd", "ftp://127.0.0.1/x"];
  for (const url of urls) {
    provider.responses["/fal"] = json({ images: [{ url, content_type: "image/png" }] });
    const { status } = await person.json("POST", "/api/generate-image", { prompt: "a cat" });
    expect([200, 500], url).toContain(status);
  }
  // Each was asked for, though some are refused before they are fetched.
  expect(provider.asked.length).toBeGreaterThanOrEqual(urls.length);
});

test("pictures that redirect inside or never end, from a provider on this machine", async () => {
  const person = await newPerson(kiosk);
  provider.responses["/creem/v1/moderation"] = json({ decision: "allow" });
  const picture = `http://127.0.0.1:${provider.port()}/picture`;
  const predict = (output: string) =>
    json(
      { id: "abc", status: "succeeded", output: [output], error: null, urls: { get: inside } },
      201,
    );
  const generate = () => person.json("POST", "/api/generate-image", { prompt: "a cat" });
  // To this machine such a provider may send us.
  const elsewhere = INSIDE_URLS.filter(
    (url) => !/^(127\.|localhost|0\.0\.|\[::(1|ffff:7f))/.test(new URL(url).hostname),
  );
  for (const url of elsewhere) {
    provider.responses["/picture"] = redirect(url, 302);
    provider.responses["/replicate"] = predict(picture);
    expect((await generate()).status).toBe(200);
  }
  const block = Buffer.alloc(1024 * 1024);
  provider.responses["/picture"] = (_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on("drain", pour);
    pour();
  };
  expect((await generate()).status).toBe(200);
  expect(provider.asked.filter((path) => path === "/picture").length).toBeGreaterThan(3);
});

test("predictions that ask to be looked up elsewhere", async () => {
  const person = await newPerson(kiosk);
  provider.responses["/creem/v1/moderation"] = json({ decision: "allow" });
  const urls = { get: `${inside}/get`, cancel: `${inside}/cancel`, stream: `${inside}/stream` };
  const pending = { id: "abc", status: "processing", output: null, error: null, urls };
  provider.responses["/replicate/v1/predictions/abc"] = json({ ...pending, status: "failed" });
  provider.responses["/replicate"] = json(pending, 201);
  await person.json("POST", "/api/generate-image", { prompt: "a cat" });
  expect(provider.asked).toContain("/replicate/v1/predictions/abc");
});

test("the check of prompts sends elsewhere", async () => {
  const person = await newPerson(kiosk);
  for (const reply of [redirect(`${inside}/moderation`), json({ decision: inside })]) {
    provider.responses["/creem/v1/moderation"] = reply;
    const { status } = await person.json("POST", "/api/generate-image", { prompt: inside });
    expect(status).toBe(500);
  }
  expect(provider.asked).toHaveLength(2);
});

test("the bot challenge sends elsewhere, and mails go to the mail server alone", async () => {
  const verdict = { success: true, hostname: "localhost", action: "sign_up", ...ADDRESSES };
  for (const [reply, expected] of [
    [redirect(`${inside}/siteverify`), 503],
    [json({ success: false, "error-codes": [inside], ...ADDRESSES }), 503],
    [json(verdict), 303],
  ] as const) {
    provider.responses["/turnstile"] = reply;
    const { status } = await createClient(kiosk.url).post("/en/sign-up", {
      email: newEmail(),
      password: "long walnut harbour 58",
      "cf-turnstile-response": inside,
    });
    expect(status).toBe(expected);
  }
  expect(provider.asked.filter((path) => path.startsWith("/turnstile")).length).toBeGreaterThan(2);
});

test("the store sends elsewhere", async () => {
  const person = await newPerson(kiosk);
  const moved = (status: number) => redirect(`${inside}/moved`, status);
  const other: typeof moved = (status) => (_request, response) => {
    const endpoint = new URL(inside).host;
    response.writeHead(status, { "x-amz-bucket-region": "eu-west-1", Location: inside });
    response.end(
      `<Error><Code>PermanentRedirect</Code><Endpoint>${endpoint}</Endpoint><Region>eu-west-1</Region></Error>`,
    );
  };
  for (const reply of [moved(307), moved(302), other(301), other(400)]) {
    provider.responses["/store"] = reply;
    const { body } = await person.json("POST", "/api/storage/upload", {
      filename: "http:__127.0.0.1.png",
      contentType: "image/png",
      contentLength: 10,
    });
    const { fileId } = body;
    const { status } = await person.json("POST", "/api/storage/confirm", { fileId });
    expect(status).toBeGreaterThan(399);
  }
  expect(provider.asked.filter((path) => path.startsWith("/store")).length).toBeGreaterThan(3);
});

test("addresses in fields, files, targets and headers of requests", async () => {
  const person = await newPerson(shop);
  const profile = { name: `${inside}/name`, locale: "en" };
  expect((await person.post("/en/account/profile", profile)).status).toBe(303);
  const svg = SVG.toString().replace(
    "/>",
    ` xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${inside}/x.png"/><use href="${inside}/y.svg#z"/><style>@import url(${inside}/a.css)</style></svg>`,
  );
  const content = Buffer.from(svg);
  const upload = { content, contentType: "image/svg+xml", filename: "a.svg" };
  await expect(uploadFile(person, upload)).rejects.toThrow("content_mismatch");
  for (const redirectTo of INSIDE_URLS) {
    const fields = { email: person.email, password: "wrong", redirectTo };
    expect((await createClient(shop.url).post("/en/sign-in", fields)).status).toBe(400);
  }
  const { host } = new URL(inside);
  for (const lines of [
    [`GET ${inside}/x HTTP/1.1`, `Host: ${host}`, "Connection: close"],
    [`CONNECT ${host} HTTP/1.1`, `Host: ${host}`, "Connection: close"],
    ["GET /en HTTP/1.1", `Host: ${host}`, "Connection: close"],
    ...["X-Forwarded-Host", "Forwarded", "X-Original-URL", "Referer", "Origin", "Via"].map(
      (name) => [
        "GET /en/sign-in HTTP/1.1",
        "Host: localhost",
        `${name}: ${name === "X-Forwarded-Host" ? host : inside}`,
        "Connection: close",
      ],
    ),
    [
      "GET /en/sign-in HTTP/1.1",
      "Host: localhost",
      `X-Forwarded-For: ${host}`,
      "Connection: close",
    ],
  ])
    await sendRaw(shop.url, lines);
});

test("the watch saw every connection that the list allows, and maintenance adds none", async () => {
  provider.responses["/store"] = redirect(inside);
  for (const { url } of [shop, kiosk]) await runMaintenance(url).catch(() => undefined);
  const listPorts = () => watch.events().map(({ kind, port }) => kind === "connect" && port);
  for (const address of listAddresses())
    await expect.poll(listPorts, { message: address }).toContain(Number(new URL(address).port));
  // The thread that judges passwords is watched, too.
  expect(watch.events().some(({ thread }) => thread > 0)).toBe(true);
});
