import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { prorationDate } from "~/models/billing/changes/proration-date";
import type { InvoicePaid, SubscriptionChanged } from "~/services/payments/billing-event";
import {
  HAS_TWO_PLANS,
  PACK,
  PLAN,
  PLAN_MONTHLY,
  TOP_MONTHLY,
  TOP_PLAN,
} from "../../fixtures/sold";
import { buy, press, startPayments, verify } from "../../helpers/payments";

/** A starter subscription by the month at the named provider, and what its provider sends from now on. */
async function subscribe(name: "stripe" | "creem") {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, name, "plan");
  const changed = deliveries.flatMap(({ events }) => events).find(isChange);
  if (!changed) throw new Error("no subscription was created");
  const id = changed.providerSubscriptionId;
  const { planChanges } = payments[name];
  const { receiver, control } = payments;
  let read = receiver.received.length;
  return {
    ...{ planChanges, id, customerId: changed.customerId ?? "" },
    at: prorationDate(new Date(), changed.currentPeriodStart ?? new Date()),
    stripe: payments.env.payments.stripe,
    creem: payments.env.payments.creem,
    renew: () => control(name, "POST", `/subscriptions/${id}/renew`),
    control: (method: string, path: string, body?: object) => control(name, method, path, body),
    /** The events of the deliveries since the last call. */
    async events() {
      await control(name, "POST", "/deliveries/settle");
      const fresh = receiver.received.slice(read);
      read = receiver.received.length;
      return fresh.flatMap((webhook) => verify(payments[name], webhook).events);
    },
  };
}

const isChange = (event: { kind: string }): event is SubscriptionChanged =>
  event.kind === "subscription_changed";
const isPaid = (event: { kind: string }): event is InvoicePaid => event.kind === "invoice_paid";

const PRO = { planKey: TOP_PLAN.planKey, period: "month" } as const;
const PRO_YEARLY = { planKey: TOP_PLAN.planKey, period: "year" } as const;
const STARTER_YEARLY = { planKey: PLAN.planKey, period: "year" } as const;

test.runIf(HAS_TWO_PLANS)(
  "Stripe charges for an upgrade exactly what the preview of the same moment showed",
  async () => {
    const { planChanges, id, at, events } = await subscribe("stripe");
    const request = { providerSubscriptionId: id, at, ...PRO };
    const price = await planChanges.priceChange(request);
    expect(price).toMatchObject({ isExact: true, currency: CURRENCY, startsAt: at });
    expect(price?.lines.map(({ kind }) => kind)).toEqual(["new", "unused"]);
    expect(await planChanges.changeNow({ ...request, requestId: "r1" })).toMatchObject({
      status: "changed",
    });
    const seen = await events();
    const [paid] = seen.filter(isPaid);
    expect(paid).toMatchObject({ covers: "upgrade", amount: price?.amountDue, periodStart: at });
    expect(await planChanges.findStanding({ providerSubscriptionId: id })).toMatchObject({
      ...{ status: "active", plan: PRO, scheduled: null, open: null },
    });
  },
);

test("a repeated change at Stripe charges nothing", async () => {
  const { planChanges, id, at, events } = await subscribe("stripe");
  const request = { providerSubscriptionId: id, at, ...PRO, requestId: "r1" };
  await planChanges.changeNow(request);
  await events();
  expect(await planChanges.changeNow(request)).toMatchObject({ status: "changed" });
  expect(await events()).toEqual([]);
});

test("a change of interval at Stripe begins a whole period now, paid less what is left", async () => {
  const { planChanges, id, at, events } = await subscribe("stripe");
  const request = { providerSubscriptionId: id, at, ...STARTER_YEARLY };
  const price = await planChanges.priceChange(request);
  await planChanges.changeNow({ ...request, requestId: "r1" });
  const [paid] = (await events()).filter(isPaid);
  expect(paid).toMatchObject({ covers: "period", amount: price?.amountDue });
  const days =
    ((paid?.periodEnd?.getTime() ?? 0) - (paid?.periodStart?.getTime() ?? 0)) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(365);
});

test.runIf(HAS_TWO_PLANS)(
  "a declined card leaves Stripe's old plan, until the open invoice is paid on its page",
  async () => {
    const { planChanges, id, customerId, at, control, events } = await subscribe("stripe");
    await control("PUT", `/customers/${customerId}/card`, { declines: true });
    const request = { providerSubscriptionId: id, at, ...PRO, requestId: "r1" };
    expect(await planChanges.changeNow(request)).toEqual({ status: "payment_open" });
    const failed = await events();
    expect(failed.map(({ kind }) => kind)).toEqual(["invoice_failed", "subscription_changed"]);
    const open = await planChanges.findStanding({ providerSubscriptionId: id });
    expect(open).toMatchObject({
      plan: { planKey: PLAN.planKey },
      open: { lapsesAt: expect.any(Date) },
    });
    await press(open?.open?.payUrl ?? "", {});
    expect((await events()).find(isPaid)).toMatchObject({ covers: "upgrade" });
    expect(await planChanges.findStanding({ providerSubscriptionId: id })).toMatchObject({
      ...{ plan: PRO, open: null },
    });
  },
);

test.runIf(HAS_TWO_PLANS)(
  "a change planned at Stripe charges nothing, comes with the renewal, and is over after it",
  async () => {
    const { planChanges, id, at, renew, events } = await subscribe("stripe");
    const subscription = { providerSubscriptionId: id };
    await planChanges.changeNow({ ...subscription, at, ...PRO_YEARLY, requestId: "r1" });
    await events();
    const standing = await planChanges.findStanding(subscription);
    const target = { planKey: PLAN.planKey, period: "month" } as const;
    const planned = await planChanges.scheduleChange({ ...subscription, ...target });
    expect(planned).toEqual({ status: "scheduled", at: standing?.currentPeriodEnd });
    expect(await events()).toMatchObject([{ kind: "subscription_changed", hasSchedule: true }]);
    expect(await planChanges.findStanding(subscription)).toMatchObject({
      ...{ plan: PRO_YEARLY, scheduled: { ...target, at: standing?.currentPeriodEnd } },
    });
    await renew();
    expect((await events()).find(isPaid)).toMatchObject({
      ...{ covers: "period", amount: 900, periodStart: standing?.currentPeriodEnd },
    });
    expect(await planChanges.findStanding(subscription)).toMatchObject({
      ...{ plan: target, scheduled: null },
    });
  },
);

test.runIf(HAS_TWO_PLANS)(
  "another planned change replaces the first, and dropping it leaves the plan as it is",
  async () => {
    const { planChanges, id, at, renew, events } = await subscribe("stripe");
    const subscription = { providerSubscriptionId: id };
    await planChanges.changeNow({ ...subscription, at, ...PRO, requestId: "r1" });
    await planChanges.scheduleChange({ ...subscription, ...STARTER_YEARLY });
    await planChanges.scheduleChange({ ...subscription, planKey: PLAN.planKey, period: "month" });
    expect(await planChanges.findStanding(subscription)).toMatchObject({
      scheduled: { planKey: PLAN.planKey, period: "month" },
    });
    expect(await planChanges.dropScheduledChange(subscription)).toEqual({ status: "dropped" });
    expect(await planChanges.dropScheduledChange(subscription)).toEqual({ status: "dropped" });
    await events();
    await renew();
    expect((await events()).find(isPaid)).toMatchObject({ amount: 2900 });
  },
);

test.runIf(HAS_TWO_PLANS)(
  "Creem upgrades at once, tells its payment's time, and plans nothing",
  async () => {
    const { planChanges, id, at, events } = await subscribe("creem");
    const request = { providerSubscriptionId: id, at, ...PRO };
    const price = await planChanges.priceChange(request);
    expect(price).toMatchObject({ isExact: false });
    expect(await planChanges.changeNow({ ...request, requestId: "r1" })).toMatchObject({
      status: "changed",
    });
    const paid = (await events()).find(isPaid);
    expect(paid).toMatchObject({ covers: "period", paidAt: expect.any(Date) });
    expect(await planChanges.changeNow({ ...request, requestId: "r1" })).toMatchObject({
      status: "changed",
    });
    expect(await events()).toEqual([]);
    expect(
      await planChanges.scheduleChange({ providerSubscriptionId: id, ...STARTER_YEARLY }),
    ).toEqual({ status: "unsupported" });
  },
);

test.each(["stripe", "creem"] as const)(
  "%s: an unknown subscription is told apart from a failure",
  async (name) => {
    const { planChanges, at } = await subscribe(name);
    const unknown = { providerSubscriptionId: "sub_unknown" };
    expect(await planChanges.findStanding(unknown)).toBeNull();
    expect(await planChanges.priceChange({ ...unknown, at, ...PRO })).toBeNull();
    expect(await planChanges.changeNow({ ...unknown, at, ...PRO, requestId: "r" })).toEqual({
      status: "not_found",
    });
  },
);

test("Stripe's sandbox refuses changes that Stripe would refuse", async () => {
  const { planChanges, id, at, stripe, control } = await subscribe("stripe");
  const { body } = await control("GET", "/state");
  const { subscriptions } = body as { subscriptions: Record<string, { itemId: string }> };
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(`${stripe.apiBase}/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${stripe.secretKey}` },
      body: new URLSearchParams(fields),
    });
    const { error } = (await response.json()) as { error?: { param?: string } };
    return [response.status, error?.param];
  };
  const change = {
    "items[0][id]": subscriptions[id]?.itemId ?? "",
    "items[0][price]": `price_sandbox_${TOP_MONTHLY}`,
    proration_behavior: "always_invoice",
    payment_behavior: "pending_if_incomplete",
    proration_date: String(at.getTime() / 1000),
  };
  const update = (more: Record<string, string>) =>
    post(`/subscriptions/${id}`, { ...change, ...more });
  expect(await update({ "metadata[plan_key]": TOP_PLAN.planKey })).toEqual([400, "metadata"]);
  expect(await update({ proration_date: "1" })).toEqual([400, "proration_date"]);
  expect(await update({ "items[0][id]": "si_other" })).toEqual([400, "items[0][id]"]);
  expect(await update({ "items[0][price]": `price_sandbox_${PACK.skuKey}` })).toEqual([
    ...[400, "items[0][price]"],
  ]);

  await planChanges.scheduleChange({ providerSubscriptionId: id, ...STARTER_YEARLY });
  const cancel = { cancel_at_period_end: "true" };
  expect(await post(`/subscriptions/${id}`, cancel)).toEqual([400, undefined]);
  expect(await post("/subscription_schedules", { from_subscription: id })).toEqual([
    ...[400, undefined],
  ]);
});

test("Creem's sandbox refuses upgrades that Creem would refuse", async () => {
  const { id, creem } = await subscribe("creem");
  const upgrade = async (body: object) => {
    const response = await fetch(`${creem.apiBase}/v1/subscriptions/${id}/upgrade`, {
      method: "POST",
      headers: { "x-api-key": creem.apiKey ?? "", "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.status;
  };
  const update_behavior = "proration-charge-immediately";
  expect(await upgrade({ product_id: `prod_sandbox_${TOP_MONTHLY}` })).toBe(400);
  expect(await upgrade({ product_id: `prod_sandbox_${PACK.skuKey}`, update_behavior })).toBe(400);
  expect(await upgrade({ product_id: `prod_sandbox_${PLAN_MONTHLY}`, update_behavior })).toBe(400);
  expect(await upgrade({ product_id: "prod_unknown", update_behavior })).toBe(404);
});
