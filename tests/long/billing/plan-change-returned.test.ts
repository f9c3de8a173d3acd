import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { RecordedRequest } from "../../../scripts/sandbox/payments/request-log";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import type { Person } from "../../helpers/client";
import { closeDispute, openDispute, requestsTo } from "../../helpers/payments";
import { previewPlan } from "../../helpers/plan-change";
import { deliverAll, reconcile, runBilling, subscriptionOf } from "../../helpers/reconciliation";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer();
const creem = withPaymentServer("creem");
const DEFAULT = "bpc_SandboxDefault";

/** A user with a yearly plan, all of whose webhooks have arrived. */
async function subscriber() {
  const { person, webhooks } = await app.buy("plan", { period: "year" });
  for (const webhook of webhooks) await app.deliver(webhook);
  const [row] = await app.sql<{ id: string; payment: string }>(
    `SELECT s.id, provider_intent_id AS payment FROM subscriptions s
     JOIN users u ON u.id = user_id
     JOIN subscription_periods p ON p.subscription_id = s.id
     JOIN invoice_payments i ON i.provider_payment_id = p.provider_payment_id
     WHERE email = $1`,
    [person.email],
  );
  const { id = "", payment = "" } = row ?? {};
  return { person, id, payment, path: `/en/account/billing/change?subscription=${id}` };
}

const setPeriod = (id: string, returned: number, isClosed: boolean) =>
  app.sql(
    `UPDATE subscription_periods SET amount_returned = $2,
       closed_at = CASE WHEN $3::boolean THEN now() END WHERE subscription_id = $1`,
    [id, returned, isClosed],
  );

const previewOf = (person: Person, path: string) =>
  previewPlan(person, path, TOP_PLAN.planKey, "year");

const setChanges = (enabled: boolean) =>
  app.control("stripe", "PATCH", `/portal-configurations/${DEFAULT}`, {
    features: { subscription_update: { enabled } },
  });

/** Opens the portal: the configuration that was asked for, and the page. */
async function openPortal(person: Person) {
  const { status, body } = await person.json("POST", "/api/payments/portal", {});
  expect(status).toBe(200);
  const requests = (await app.control("stripe", "GET", "/requests")).body as RecordedRequest[];
  const sent = requests.at(-1)?.body as { configuration?: string } | undefined;
  return { configuration: sent?.configuration, html: await (await fetch(String(body.url))).text() };
}

test.runIf(HAS_TWO_PLANS)(
  "a disputed year can't be changed, with a form from before the dispute neither, until it is won",
  async () => {
    const { person, id, payment, path } = await subscriber();
    const { form } = await previewOf(person, path);
    expect(form).toHaveProperty("amountDue");
    const webhooks = await app.hold(() =>
      app.control("stripe", "POST", `/payments/${payment}/dispute`),
    );
    for (const webhook of webhooks) await app.deliver(webhook);
    const [period] = await app.sql<{ closed: boolean }>(
      "SELECT closed_at IS NOT NULL AS closed FROM subscription_periods WHERE subscription_id = $1",
      [id],
    );
    expect(period?.closed).toBe(true);
    const { html } = await previewOf(person, path);
    expect(html).toContain("The payment for your current period was refunded or disputed");
    expect(html).not.toContain("Due today");
    for (const fields of [form, { intent: "change", plan: PLAN.planKey, period: "month" }]) {
      const refused = await person.post(path, fields);
      expect(refused.status).toBe(409);
      expect(await refused.text()).toContain("You can’t change your plan right now");
    }
    await setPeriod(id, 0, false);
    const again = await previewOf(person, path);
    expect(again.html).toContain("Due today");
    expect((await person.post(path, again.form)).headers.get("Location")).toBe(
      `/en/account/billing/switched?subscription=${id}`,
    );
  },
);

test("while money is going back the portal is opened without changes of plan", async () => {
  const { person, id } = await subscriber();
  await setChanges(true);
  expect(await openPortal(person)).toMatchObject({
    configuration: undefined,
    html: expect.stringContaining("You can change your plan here"),
  });
  await setPeriod(id, 1, false);
  const safe = await openPortal(person);
  expect(safe.configuration).toMatch(/^bpc_/);
  expect(safe.configuration).not.toBe(DEFAULT);
  expect(safe.html).not.toContain("You can change your plan here");
  // The one that was made is found again, unless somebody has turned changes on there.
  expect((await openPortal(person)).configuration).toBe(safe.configuration);
  await app.control("stripe", "PATCH", `/portal-configurations/${safe.configuration}`, {
    features: { subscription_update: { enabled: true } },
  });
  const other = await openPortal(person);
  expect(other.configuration).not.toBe(safe.configuration);
  expect(other.html).not.toContain("You can change your plan here");
  // The portal in use serves if it has no changes of plan.
  await setChanges(false);
  expect((await openPortal(person)).configuration).toBe(DEFAULT);
  await setPeriod(id, 0, false);
  expect((await openPortal(person)).configuration).toBeUndefined();
});

test("without a safe portal configuration none is opened", async () => {
  const { person, id } = await subscriber();
  await setPeriod(id, 1, false);
  const server = await app.startAnother({ PROVIDER_A_PORTAL_CONFIGURATION: "bpc_gone" });
  try {
    const reply = await fetch(`${server.url}/api/payments/portal`, {
      method: "POST",
      headers: { Cookie: person.cookie() },
    });
    expect(reply.status).toBe(502);
    expect(await reply.json()).toMatchObject({ code: "provider_error" });
  } finally {
    await server.stop();
  }
});

/** Stripe as a key sees it that may read portal configurations, and not write them. */
async function startReadOnlyPortal(apiBase: string) {
  let refused = 0;
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "", headers } = request;
    response.setHeader("Content-Type", "application/json");
    if (method === "POST" && url === "/v1/billing_portal/configurations") {
      refused += 1;
      const message = "The provided key does not have the required permissions.";
      return response.writeHead(403).end(JSON.stringify({ error: { message } }));
    }
    const { authorization = "", "content-type": type = "" } = headers;
    const reply = await fetch(new URL(url, apiBase), {
      method,
      headers: { authorization, "content-type": type },
      ...(method === "POST" ? { body: await text(request) } : {}),
    });
    response.writeHead(reply.status).end(await reply.text());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, refused: () => refused };
}

test("a key that may not write portal configurations opens no portal with changes of plan", async () => {
  const { person, id } = await subscriber();
  await setPeriod(id, 1, false);
  await setChanges(true);
  const portal = await startReadOnlyPortal(app.env.PROVIDER_A_API_BASE ?? "");
  const server = await app.startAnother({ PROVIDER_A_API_BASE: portal.url });
  onTestFinished(() => server.stop());
  const open = () =>
    fetch(`${server.url}/api/payments/portal`, {
      method: "POST",
      headers: { Cookie: person.cookie() },
    });
  const reply = await open();
  expect(reply.status).toBe(502);
  expect(await reply.json()).toMatchObject({ code: "provider_error" });
  expect(portal.refused()).toBeGreaterThan(0);
  await setPeriod(id, 0, false);
  expect((await open()).status).toBe(200);
  await setChanges(false);
});

test.runIf(HAS_TWO_PLANS)(
  "creem: a plan whose payment went back in part can't be changed, with an older form neither",
  async () => {
    const { person, webhooks } = await creem.buy("plan", { period: "year" });
    await deliverAll(creem, webhooks);
    const subscription = subscriptionOf({ person, webhooks, sessionId: "" });
    const path = "/en/account/billing/change?from=billing";
    const { html, form } = await previewOf(person, path);
    expect(html).toContain("Due today");
    let dispute = "";
    const told = await creem.hold(async () => {
      dispute = await openDispute(creem, subscription, { amount: 100 });
    });
    await deliverAll(creem, told);
    const locked = await previewOf(person, path);
    expect(locked.html).toContain("The payment for your current period was refunded or disputed");
    expect(locked.html).not.toContain("Due today");
    expect((await person.post(path, form)).status).toBe(409);
    expect(await requestsTo(creem, /upgrade/)).toEqual([]);

    await closeDispute(creem, dispute, "won");
    const { object = "" } = (await reconcile(creem))[0] ?? {};
    const payment = object.replace("payment ", "");
    const won = await runBilling(creem, "dispute-won", payment, "--provider", "creem");
    expect(won).toMatchObject({ code: 0, stdout: expect.stringContaining("3 credits given back") });
    expect((await previewOf(person, path)).html).toContain("Due today");
  },
);
