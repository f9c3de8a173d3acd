import { expect, onTestFinished, test } from "vitest";
import { cancellationSchema } from "~/server/openapi/payment-paths";
import { signUp } from "../../helpers/client";
import { requestsTo } from "../../helpers/payments";
import { withPaymentServer } from "../../helpers/with-payment-server";

const [stripe, creem] = [withPaymentServer("stripe"), withPaymentServer("creem")];
const APPS = { stripe, creem };
const BOTH = ["stripe", "creem"] as const;

const requestsOf = (name: "stripe" | "creem", path: RegExp) => requestsTo(APPS[name], path);

async function subscriber(app: (typeof APPS)["stripe"]) {
  const { person, webhooks } = await app.buy("plan");
  for (const webhook of webhooks) await app.deliver(webhook);
  return person;
}

test.each(BOTH)("%s: cancelling schedules the end, and returns the same again", async (name) => {
  const person = await subscriber(APPS[name]);
  const first = await person.json("POST", "/api/payments/subscription/cancel", {});
  expect(first).toMatchObject({
    status: 200,
    body: {
      subscriptionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "active",
      cancelAtPeriodEnd: true,
      currentPeriodEnd: expect.stringMatching(/Z$/),
    },
  });
  cancellationSchema.strict().parse(first.body);
  const { subscriptionId } = first.body;
  const again = await person.json("POST", "/api/payments/subscription/cancel", { subscriptionId });
  expect(again.body).toEqual(first.body);
  expect(
    await requestsOf(name, name === "stripe" ? /^\/v1\/subscriptions\// : /\/cancel$/),
  ).not.toEqual([]);
});

test("another user's subscription, a missing one and an invalid id are a 404", async () => {
  const owner = await subscriber(stripe);
  const [row] = await stripe.sql<{ id: string }>(
    "SELECT s.id FROM subscriptions s JOIN users ON users.id = user_id WHERE email = $1",
    [owner.email],
  );
  const person = await signUp(stripe.url);
  for (const body of [{ subscriptionId: row?.id }, {}, { subscriptionId: "x" }]) {
    expect(await person.json("POST", "/api/payments/subscription/cancel", body)).toMatchObject({
      status: 404,
      body: { code: "no_subscription" },
    });
  }
  expect(await person.json("POST", "/api/payments/portal")).toMatchObject({
    status: 404,
    body: { code: "no_customer" },
  });
});

test.each(BOTH)("%s: the portal is the provider's page for this customer", async (name) => {
  const person = await subscriber(APPS[name]);
  const { status, body } = await person.json("POST", "/api/payments/portal");
  expect(status).toBe(200);
  expect((await fetch(String(body.url))).status).toBe(200);
});

test("after a switch to Creem, a Stripe subscription still cancels and opens its portal at Stripe", async () => {
  const { person, webhooks } = await stripe.buy("plan");
  for (const webhook of webhooks) await stripe.deliver(webhook);
  const switched = await stripe.startAnother({ PAYMENTS_PROVIDER: "creem" });
  onTestFinished(() => switched.stop());
  const send = async (path: string) => {
    const response = await fetch(switched.url + path, {
      method: "POST",
      headers: { Cookie: person.cookie(), "Content-Type": "application/json" },
      body: "{}",
    });
    return { status: response.status, body: (await response.json()) as { url?: string } };
  };
  // One request reads the subscription, one schedules its end.
  const before = (await requestsOf("stripe", /^\/v1\/subscriptions\//)).length;
  expect(await send("/api/payments/subscription/cancel")).toMatchObject({ status: 200 });
  expect(await requestsOf("stripe", /^\/v1\/subscriptions\//)).toHaveLength(before + 2);
  const portal = await send("/api/payments/portal");
  expect(portal.body.url).toContain(String(stripe.env.PROVIDER_A_API_BASE));
  // New checkouts go to Creem; the limit of one subscription at a time applies across providers.
  expect(await send("/api/payments/subscription/checkout")).toMatchObject({ status: 400 });
});
