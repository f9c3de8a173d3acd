import { expect, test } from "vitest";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { planChangesAt } from "../../helpers/plan-changes";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer();
const { subscriber, read, previewOf, storedPlan, invoicesOf, deliverAll } = planChangesAt(app);

test.runIf(HAS_TWO_PLANS)(
  "a smaller plan is planned for the period's end, charges nothing, and begins with the renewal",
  async () => {
    const buyer = await subscriber({ planKey: TOP_PLAN.planKey, period: "year" });
    const { html, form } = await previewOf(buyer, PLAN.planKey, "month");
    expect(html).toContain("$0.00");
    const before = await invoicesOf(buyer);
    await deliverAll(async () => {
      const responses = await Promise.all([1, 2].map(() => buyer.person.post(buyer.path, form)));
      for (const { headers } of responses)
        expect(headers.get("Location")).toBe("/en/account/billing?done=planned");
    });
    expect(await invoicesOf(buyer)).toBe(before);
    expect(await storedPlan(buyer)).toBe("pro year starter month");
    expect(await read(buyer.person, "/en/account/billing")).toContain(
      "Then you switch to the Starter plan for $9.00 a month.",
    );
    expect(await read(buyer.person, buyer.path)).toContain("A change is planned");
    await deliverAll(() => app.control("stripe", "POST", `/subscriptions/${buyer.sub}/renew`));
    expect(await storedPlan(buyer)).toBe("starter month");
    expect(await read(buyer.person, buyer.path)).toContain("Your plan now");
  },
);

test.runIf(HAS_TWO_PLANS)(
  "while a change is planned another one is refused, and undoing it twice is the same as once",
  async () => {
    const buyer = await subscriber({ planKey: TOP_PLAN.planKey });
    const { form } = await previewOf(buyer, PLAN.planKey, "month");
    await deliverAll(() => buyer.person.post(buyer.path, form));
    const other = { intent: "change", plan: PLAN.planKey, period: "year" };
    const refused = await buyer.person.post(buyer.path, other);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("You can’t change your plan right now");
    await deliverAll(async () => {
      const undone = await Promise.all(
        [1, 2].map(() => buyer.person.post(buyer.path, { intent: "undo" })),
      );
      for (const { headers } of undone)
        expect(headers.get("Location")).toBe("/en/account/billing?done=kept");
    });
    expect(await storedPlan(buyer)).toBe("pro month");
    await deliverAll(() => app.control("stripe", "POST", `/subscriptions/${buyer.sub}/renew`));
    expect(await storedPlan(buyer)).toBe("pro month");
  },
);

test.runIf(HAS_TWO_PLANS)(
  "a planned change that was dropped elsewhere is no longer shown once the provider's event comes",
  async () => {
    const buyer = await subscriber({ planKey: TOP_PLAN.planKey });
    const { form } = await previewOf(buyer, PLAN.planKey, "month");
    await deliverAll(() => buyer.person.post(buyer.path, form));
    expect(await storedPlan(buyer)).toBe("pro month starter month");
    const { body } = await app.control("stripe", "GET", "/state");
    const { schedules } = body as { schedules: Record<string, { subscription: string }> };
    // An event of the second in which it was planned here would not undo it.
    await app.sql(
      "UPDATE subscriptions SET own_write_at = own_write_at - interval '2 seconds' WHERE id = $1",
      [buyer.id],
    );
    const [id] = Object.entries(schedules).find(([, one]) => one.subscription === buyer.sub) ?? [];
    const [base, key] = [app.env.PROVIDER_A_API_BASE, app.env.PROVIDER_A_SECRET_KEY];
    await deliverAll(() =>
      fetch(`${base}/v1/subscription_schedules/${id}/release`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/x-www-form-urlencoded",
        },
      }),
    );
    expect(await storedPlan(buyer)).toBe("pro month");
  },
);
