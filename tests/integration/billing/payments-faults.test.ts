import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { createCreemClient } from "~/services/payments/creem/creem-client.server";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { callStripe, createStripeClient } from "~/services/payments/stripe/stripe-client.server";
import { freePort } from "../../../scripts/lib/free-port";
import { CREEM_SETTINGS, STRIPE_SETTINGS } from "../../fixtures/payments";
import { PACK } from "../../fixtures/sold";
import { createRequest } from "../../helpers/payments";

const PROVIDER_ERROR = {
  code: "provider_error",
  status: 502,
  publicMessage: expect.stringContaining("Nothing was charged"),
};

/** A provider with its own response to every request, for the length of the test. */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  allowAddresses({ stripe: [url], creem: [url] });
  return url;
}

function providerAt(name: "stripe" | "creem", apiBase: string) {
  return createPaymentProvider(name, {
    stripe: { ...STRIPE_SETTINGS, apiBase },
    creem: { ...CREEM_SETTINGS, apiBase },
  });
}

const buyPack = (name: "stripe" | "creem", apiBase: string) =>
  providerAt(name, apiBase).createPackCheckout(createRequest({ skuKey: PACK.skuKey }));

const reply =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
  };

test.each(["stripe", "creem"] as const)(
  "any fault of %s is a 502 that says nothing was charged",
  async (name) => {
    const faults: Record<string, RequestListener> = {
      "an error with a page": reply(500, "<h1>oops</h1>"),
      "an error in JSON": reply(429, '{"error":{"type":"x","message":"slow down"}}'),
      "a success that is not JSON": reply(200, "<h1>hello</h1>"),
      "a success of another shape": reply(200, '{"hello":"world"}'),
      "a success that is null": reply(200, "null"),
      "a connection that breaks": (request) => request.socket.destroy(),
      "a response that breaks off": (_request, response) => {
        response.writeHead(200, { "Content-Length": "100" }).write("{");
        setImmediate(() => response.destroy());
      },
    };
    for (const [fault, listener] of Object.entries(faults)) {
      const failure = buyPack(name, await startServer(listener));
      await expect(failure, fault).rejects.toMatchObject(PROVIDER_ERROR);
    }
    const nobody = `http://127.0.0.1:${await freePort(0, "127.0.0.1")}`;
    await expect(buyPack(name, nobody)).rejects.toMatchObject(PROVIDER_ERROR);
  },
  60_000,
);

test("a provider that never responds is given up after the time-out, body included", async () => {
  const hanging: RequestListener[] = [
    (request) => void request.resume(),
    (_request, response) => void response.writeHead(200).write("{"),
  ];
  for (const listener of hanging) {
    const apiBase = await startServer(listener);
    const creem = createCreemClient({ apiKey: "creem_test_1", apiBase, timeoutMs: 50 });
    await expect(creem.post("/checkouts", {}, z.unknown())).rejects.toMatchObject(PROVIDER_ERROR);
    const stripe = createStripeClient({ secretKey: "sk_test_1", apiBase, timeoutMs: 50 });
    const call = callStripe(() => stripe.checkout.sessions.create({}));
    await expect(call).rejects.toMatchObject(PROVIDER_ERROR);
  }
});

test.each(["stripe", "creem"] as const)(
  "%s's redirect is not followed, key and all",
  async (name) => {
    let followed = 0;
    const elsewhere = await startServer((request, response) => {
      followed += 1;
      reply(200, '{"id":"cs_1","url":"https://example.com"}')(request, response);
    });
    const apiBase = await startServer(reply(307, "", { Location: `${elsewhere}/v1/elsewhere` }));
    await expect(buyPack(name, apiBase)).rejects.toMatchObject(PROVIDER_ERROR);
    expect(followed).toBe(0);
  },
);

test("the log has neither the key nor the email address", async () => {
  const words = "no customer buyer@example.com under key sk_test_unit or creem_test_unit";
  const stripeBody = JSON.stringify({ error: { type: "invalid_request_error", message: words } });
  const creemBody = JSON.stringify({ trace_id: "trace-1", message: [words] });
  for (const [name, body] of [
    ["stripe", stripeBody],
    ["creem", creemBody],
  ] as const) {
    const error = await buyPack(name, await startServer(reply(400, body))).catch((it) => it);
    const logged = String(error.cause);
    expect(logged).toContain("no customer [address] under key [key] or [key]");
    expect(logged).toContain("400");
  }
});

test.each([
  ["stripe", "/v1/checkout/sessions"],
  ["creem", "/v1/checkouts"],
] as const)("%s is spoken to under the path of its API base", async (name, path) => {
  const seen: { url: string | undefined; key: string | undefined }[] = [];
  const apiBase = await startServer((request, response) => {
    const key = request.headers.authorization ?? String(request.headers["x-api-key"]);
    seen.push({ url: request.url, key });
    const session = { id: "cs_1", url: "https://example.com/pay" };
    const checkout = { id: "ch_1", checkout_url: "https://example.com/pay" };
    reply(200, JSON.stringify({ ...checkout, ...session }))(request, response);
  });
  for (const base of [apiBase, `${apiBase}/gateway/payments`]) {
    expect(await buyPack(name, base)).toMatchObject({ url: "https://example.com/pay" });
  }
  expect(seen.map(({ url }) => url)).toEqual([path, `/gateway/payments${path}`]);
  expect(seen[0]?.key).toBe(name === "stripe" ? "Bearer sk_test_unit" : "creem_test_unit");
});

test("Stripe is asked a second time, under the same key; Creem, which has no such key, is not", async () => {
  const keys: unknown[] = [];
  let asked = 0;
  const stripeBase = await startServer((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    reply(503, '{"error":{"type":"api_error","message":"busy"}}')(request, response);
  });
  await expect(buyPack("stripe", stripeBase)).rejects.toMatchObject(PROVIDER_ERROR);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  const creemBase = await startServer((request, response) => {
    asked += 1;
    reply(503, "{}")(request, response);
  });
  await expect(buyPack("creem", creemBase)).rejects.toMatchObject(PROVIDER_ERROR);
  expect(asked).toBe(1);
});
