import { expect, test } from "vitest";
import {
  HAS_TWO_PLANS,
  LAST_PACK,
  PACK,
  PLAN,
  PLAN_YEARLY,
  priceVariable,
  TOP_MONTHLY,
  TOP_PLAN,
  TOP_YEARLY,
} from "../../fixtures/sold";
import { createClient, signUp } from "../../helpers/client";
import { requestsTo } from "../../helpers/payments";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", {
  [priceVariable(LAST_PACK.skuKey)]: "none",
  [priceVariable(TOP_MONTHLY)]: "none",
  [priceVariable(TOP_YEARLY)]: "none",
  [priceVariable(PLAN_YEARLY)]: "None",
});

test.each([
  ["/api/payments/checkout", { skuKey: LAST_PACK.skuKey }],
  ["/api/payments/subscription/checkout", { planKey: TOP_PLAN.planKey, period: "month" }],
  ["/api/payments/subscription/checkout", { planKey: PLAN.planKey, period: "year" }],
])("%s refuses what is marked none, and asks the provider nothing: %o", async (path, body) => {
  const person = await signUp(app.url);
  const response = await person.json("POST", path, body);
  expect(response).toMatchObject({ status: 409, body: { code: "not_for_sale" } });
  expect(await requestsTo(app, /checkout/)).toEqual([]);
});

test.runIf(HAS_TWO_PLANS)("what is not marked is sold", async () => {
  const person = await signUp(app.url);
  const starter = { planKey: PLAN.planKey, period: "month" };
  expect(await person.json("POST", "/api/payments/subscription/checkout", starter)).toMatchObject({
    status: 200,
  });
});

test.runIf(HAS_TWO_PLANS)(
  "the page leaves out what is marked none, and a form for it says so",
  async () => {
    const page = await (await createClient(app.url).fetch("/en/pricing")).text();
    expect(page).toContain(`value="${PLAN.planKey}"`);
    expect(page).toContain(`value="${PACK.skuKey}"`);
    expect(page).not.toContain(`value="${TOP_PLAN.planKey}"`);
    expect(page).not.toContain(`value="${LAST_PACK.skuKey}"`);

    const person = await signUp(app.url);
    const form = { intent: "pack", skuKey: LAST_PACK.skuKey };
    const refused = await person.post("/en/pricing", form);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("This isn’t for sale here");
  },
);
