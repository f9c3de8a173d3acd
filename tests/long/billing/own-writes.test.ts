import fc from "fast-check";
import { expect, test } from "vitest";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { signUp } from "../../helpers/client";
import { outboxOf } from "../../helpers/outbox";
import { previewPlan } from "../../helpers/plan-change";
import { deliverAll } from "../../helpers/reconciliation";
import type { ReceivedWebhook } from "../../helpers/webhook-receiver";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

// The mail server is away: what is queued stays to be counted.
const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", EMAIL_FROM: "noreply@example.com" };
const APPS = {
  stripe: withPaymentServer("stripe", MAIL),
  creem: withPaymentServer("creem", MAIL),
};

/** A user with the dearest plan, and what they can do to it. Nothing that follows is delivered by itself. */
async function subscriber(app: PaymentServerUnderTest, planKey: string = TOP_PLAN.planKey) {
  const person = await signUp(app.url);
  // Creem sells to verified addresses only, where emails are sent.
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  const { webhooks } = await app.buy("plan", { planKey, person });
  await deliverAll(app, webhooks);
  const read = async () => {
    const [row] = await app.sql<Record<string, unknown> & { id: string }>(
      `SELECT s.id, plan_key AS plan, period, status::text, cancel_at_period_end AS ends,
         scheduled_plan_key AS planned, current_period_end AS until
       FROM subscriptions s JOIN users ON users.id = user_id WHERE email = $1`,
      [person.email],
    );
    if (!row) throw new Error("no subscription");
    return row;
  };
  const { id } = await read();
  const change = `/en/account/billing/change?subscription=${id}`;
  const changeTo = async (plan: string) => {
    const { form } = await previewPlan(person, change, plan, "month");
    return person.post(change, form);
  };
  const act = {
    cancel: () => person.json("POST", "/api/payments/subscription/cancel", {}),
    resume: () => person.json("POST", "/api/payments/subscription/resume", {}),
    plan: () => changeTo(PLAN.planKey),
    undo: () => person.post(change, { intent: "undo" }),
    upgrade: () => changeTo(TOP_PLAN.planKey),
  };
  const endings = async () =>
    (await outboxOf(app, person.email)).filter(({ kind }) => kind === "subscription_ending").length;
  return { person, id, read, act, endings };
}

type Act = keyof Awaited<ReturnType<typeof subscriber>>["act"];

test.runIf(HAS_TWO_PLANS)(
  "a cancelled plan with a planned change stays cancelled, and one mail tells of it",
  async () => {
    const app = APPS.stripe;
    const { read, act, endings } = await subscriber(app);
    await app.hold(act.plan);
    expect(await read()).toMatchObject({ planned: PLAN.planKey, ends: false });
    const told = await app.hold(act.cancel);
    expect(told.length).toBeGreaterThan(1);
    expect(await read()).toMatchObject({ planned: null, ends: true });
    for (const webhook of told) {
      await app.deliver(webhook);
      expect(await read()).toMatchObject({ planned: null, ends: true });
    }
    expect(await endings()).toBe(1);
  },
);

test.runIf(HAS_TWO_PLANS)(
  "our own writes and the provider's events, in any order and repeated, end as the last write left it",
  async () => {
    const app = APPS.stripe;
    const acts = fc.array(fc.constantFrom<Act>("cancel", "resume", "plan", "undo"), {
      minLength: 2,
      maxLength: 4,
    });
    const property = fc.asyncProperty(acts, fc.infiniteStream(fc.nat()), async (chosen, picks) => {
      const { read, act, endings } = await subscriber(app);
      const waiting: ReceivedWebhook[] = [];
      const draw = (below: number) => (picks.next().value ?? 0) % below;
      const deliverSome = async () => {
        // Each may come before the next write, after it, or twice.
        for (const webhook of [...waiting]) if (draw(3) === 0) await app.deliver(webhook);
      };
      for (const one of chosen) {
        waiting.push(...(await app.hold(act[one])));
        await deliverSome();
      }
      const left = await read();
      const order = waiting
        .flatMap((webhook) => (draw(2) === 0 ? [webhook, webhook] : [webhook]))
        .map((webhook) => ({ webhook, at: draw(1000) }))
        .sort((a, b) => a.at - b.at);
      for (const { webhook } of order) await app.deliver(webhook);
      expect(await read()).toEqual(left);
      expect(left.ends).toBe(endsAfter(chosen));
      expect(await endings()).toBe(chosen.includes("cancel") ? 1 : 0);
    });
    await fc.assert(property, { numRuns: 60, endOnFailure: true });
  },
);

/** Whether a plan ends after these; a change is refused while it does. */
function endsAfter(acts: Act[]): boolean {
  return acts.reduce(
    (ends, act) => (act === "cancel" ? true : act === "resume" ? false : ends),
    false,
  );
}

test.runIf(HAS_TWO_PLANS)(
  "an upgrade in place of a planned change isn't undone by the planned change's release",
  async () => {
    const app = APPS.stripe;
    const { read, act } = await subscriber(app, PLAN.planKey);
    const told = await app.hold(act.upgrade);
    expect(await read()).toMatchObject({ plan: TOP_PLAN.planKey });
    for (const webhook of told.toReversed()) await app.deliver(webhook);
    expect(await read()).toMatchObject({ plan: TOP_PLAN.planKey, ends: false });
  },
);

test.each(["stripe", "creem"] as const)(
  "%s: what happens at the provider after our own write does change it",
  async (name) => {
    const app = APPS[name];
    const { id, read, act, endings } = await subscriber(app);
    await deliverAll(app, await app.hold(act.cancel));
    // Providers count whole seconds, so the write has to be older than this one.
    await app.sql(
      "UPDATE subscriptions SET own_write_at = own_write_at - interval '2 seconds' WHERE id = $1",
      [id],
    );
    const [row] = await app.sql<{ there: string }>(
      "SELECT provider_subscription_id AS there FROM subscriptions WHERE id = $1",
      [id],
    );
    const atProvider = (how: string) =>
      app.hold(() => app.control(name, "POST", `/subscriptions/${row?.there}/${how}`));
    await deliverAll(app, await atProvider("keep"));
    expect(await read()).toMatchObject({ ends: false });
    await deliverAll(app, await atProvider("cancel"));
    expect(await read()).toMatchObject({ status: "canceled" });
    expect(await endings()).toBe(2);
  },
);
