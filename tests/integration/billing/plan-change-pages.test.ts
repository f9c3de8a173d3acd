import { expect, onTestFinished, test } from "vitest";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { createClient, signUp } from "../../helpers/client";
import { expectSoundLedger, ledgerOf } from "../../helpers/ledger";
import { planChangesAt } from "../../helpers/plan-changes";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer();
const { subscriber, read, previewOf, storedPlan, invoicesOf, deliverAll, switchedPage } =
  planChangesAt(app);

test.runIf(HAS_TWO_PLANS)(
  "an upgrade is charged as shown, grants nothing itself, and its credits come with the events",
  async () => {
    const buyer = await subscriber();
    const { html, form } = await previewOf(buyer, TOP_PLAN.planKey, "month");
    expect(html).toContain("$20.00");
    expect(html).toContain("900 more credits");
    const webhooks = await app.hold(async () => {
      const response = await buyer.person.post(buyer.path, form);
      expect(response.status).toBe(303);
      expect(response.headers.get("Location")).toBe(switchedPage(buyer));
    });
    expect(await ledgerOf(app, buyer.person.email)).toEqual([["grant", 300]]);
    // The provider has confirmed the change. Its credits wait for the payment.
    expect(await storedPlan(buyer)).toBe("pro month");
    expect(await read(buyer.person, switchedPage(buyer))).toContain(
      "Your 900 credits arrive in about a minute.",
    );
    // A change counts from a second after the period's start at the earliest.
    const hasBegun = () =>
      app.sql(
        `SELECT 1 FROM subscriptions
       WHERE id = $1 AND now() > current_period_start + interval '2 seconds'`,
        [buyer.id],
      );
    await expect.poll(hasBegun).toHaveLength(1);
    for (const webhook of webhooks) await app.deliver(webhook);
    expect(await storedPlan(buyer)).toBe("pro month");
    expect(await ledgerOf(app, buyer.person.email)).toEqual([
      ["grant", 300],
      ["grant", 900],
    ]);
    const arrived = await read(buyer.person, switchedPage(buyer));
    for (const text of ["+900", "credits are yours", "$20.00", "Your Pro plan renews on"])
      expect(arrived).toContain(text);
    expect(arrived).not.toContain("data-checkout-waiting");
    await expectSoundLedger(app);
  },
);

test("of many identical confirmations at once, one is charged, and each is told so", async () => {
  const buyer = await subscriber();
  const { form } = await previewOf(buyer, TOP_PLAN.planKey, "year");
  const before = await invoicesOf(buyer);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => buyer.person.post(buyer.path, form)),
  );
  expect(responses.map(({ headers }) => headers.get("Location"))).toEqual(
    Array.from({ length: 5 }, () => switchedPage(buyer)),
  );
  expect((await invoicesOf(buyer)) - before).toBe(1);
});

test.runIf(HAS_TWO_PLANS)(
  "an amount that isn't the one due, or is too old, is not charged and shown again",
  async () => {
    const buyer = await subscriber();
    const { form } = await previewOf(buyer, TOP_PLAN.planKey, "month");
    const before = await invoicesOf(buyer);
    const faults: Record<string, string>[] = [
      { amountDue: "1" },
      { at: String(Number(form.at) - 3600) },
      { at: String(Number(form.at) + 3600) },
    ];
    for (const fault of faults) {
      const response = await buyer.person.post(`${buyer.path}&plan=pro&period=month`, {
        ...form,
        ...fault,
      });
      expect([fault, response.status]).toEqual([fault, 409]);
      const page = await response.text();
      expect(page).toContain("The amount has changed since you opened this page");
      expect(page).toContain("Pay $20.00 and switch");
    }
    const { at: _at, amountDue: _amountDue, ...unpriced } = form;
    expect((await buyer.person.post(buyer.path, unpriced)).status).toBe(409);
    expect(await invoicesOf(buyer)).toBe(before);
  },
);

test("a faulty form is a 400, and the plan one has is a 409", async () => {
  const buyer = await subscriber();
  const plan = { intent: "change", plan: TOP_PLAN.planKey, period: "month" };
  const faults: Record<string, string>[] = [
    {},
    { ...plan, intent: "gift" },
    { ...plan, plan: "enterprise" },
    { ...plan, period: "week" },
    { ...plan, at: "-1", amountDue: "0" },
    { ...plan, at: "1", amountDue: "x" },
  ];
  for (const fields of faults)
    expect([fields, (await buyer.person.post(buyer.path, fields)).status]).toEqual([fields, 400]);
  const same = await buyer.person.post(buyer.path, { ...plan, plan: PLAN.planKey });
  expect(same.status).toBe(409);
  expect(await same.text()).toContain("You already have this plan");
});

test.runIf(HAS_TWO_PLANS)(
  "a declined card changes nothing, and the page leads to the open payment",
  async () => {
    const buyer = await subscriber();
    await app.control("stripe", "PUT", `/customers/${buyer.customer}/card`, { declines: true });
    const { form } = await previewOf(buyer, TOP_PLAN.planKey, "month");
    await deliverAll(async () => {
      const responses = await Promise.all([1, 2].map(() => buyer.person.post(buyer.path, form)));
      for (const { headers } of responses) expect(headers.get("Location")).toBe(buyer.path);
    });
    const page = await read(buyer.person, buyer.path);
    expect(page).toContain("Your payment is open");
    expect(page).toMatch(/href="http:\/\/127\.0\.0\.1:\d+\/i\/in_/);
    expect(await storedPlan(buyer)).toBe("starter month");
    const [row] = await app.sql("SELECT status FROM subscriptions WHERE id = $1", [buyer.id]);
    expect(row).toEqual({ status: "active" });
  },
);

test.runIf(HAS_TWO_PLANS)(
  "a plan that is overdue or cancelled says what to do first, and takes no change",
  async () => {
    const overdue = await subscriber();
    await app.control("stripe", "POST", `/subscriptions/${overdue.sub}/renew`, { outcome: "fail" });
    const ending = await subscriber();
    await ending.person.post(`/en/account/billing/cancel?subscription=${ending.id}`, {});
    const cases = [
      [overdue, "A payment is overdue."],
      [ending, "Keep your plan to change it."],
    ] as const;
    for (const [buyer, text] of cases) {
      expect(await read(buyer.person, `${buyer.path}&plan=pro&period=month`)).toContain(text);
      const form = {
        intent: "change",
        plan: TOP_PLAN.planKey,
        period: "month",
        at: "1",
        amountDue: "1",
      };
      expect((await buyer.person.post(buyer.path, form)).status).toBe(409);
    }
  },
);

test("without a plan the page leads to the prices; another person's plan is not found", async () => {
  const buyer = await subscriber();
  const stranger = await signUp(app.url);
  const page = await read(stranger, "/en/account/billing/change");
  expect(page).toContain('href="/en/pricing"');
  expect((await stranger.fetch(buyer.path)).status).toBe(404);
  const theirs = { intent: "undo" };
  expect((await stranger.post(buyer.path, theirs)).status).toBe(404);
  const visitor = await createClient(app.url).fetch(buyer.path);
  expect(visitor.status).toBe(302);
});

test.runIf(HAS_TWO_PLANS)(
  "a provider that is down is said so, and nothing is planned or charged",
  async () => {
    const buyer = await subscriber({ planKey: TOP_PLAN.planKey });
    const server = await app.startAnother({ PROVIDER_A_API_BASE: "http://127.0.0.1:9" });
    onTestFinished(() => server.stop());
    const cookie = { Cookie: buyer.person.cookie() };
    const page = await fetch(server.url + buyer.path, { headers: cookie });
    expect(await page.text()).toContain("Nothing was charged or changed.");
    const response = await fetch(server.url + buyer.path, {
      method: "POST",
      headers: cookie,
      body: new URLSearchParams({ intent: "change", plan: PLAN.planKey, period: "month" }),
    });
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("No change is charged twice.");
    expect(await storedPlan(buyer)).toBe("pro month");
  },
);

test("the page asks the provider no more often than its limit allows", async () => {
  const buyer = await subscriber();
  const server = await app.startAnother({ RATE_LIMIT_SCALE: "0.1" });
  onTestFinished(() => server.stop());
  const open = () => fetch(server.url + buyer.path, { headers: { Cookie: buyer.person.cookie() } });
  const pages: string[] = [];
  for (let count = 0; count < 4; count += 1) pages.push(await (await open()).text());
  expect(pages.map((page) => page.includes("Too many attempts."))).toEqual([
    ...[false, false, false, true],
  ]);
});
