import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { requestsTo } from "../../helpers/payments";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", {
  PROVIDER_A_PRICE_CREDITS_LARGE: "none",
  PROVIDER_A_PRICE_PRO_MONTHLY: "none",
  PROVIDER_A_PRICE_PRO_ANNUAL: "none",
  PROVIDER_A_PRICE_STARTER_ANNUAL: "None",
});

test.each([
  ["/api/payments/checkout", { skuKey: "credits_large" }],
  ["/api/payments/subscription/checkout", { planKey: "pro", period: "month" }],
  ["/api/payments/subscription/checkout", { planKey: "starter", period: "year" }],
])("%s refuses what is marked none, and asks the provider nothing: %o", async (path, body) => {
  const person = await signUp(app.url);
  const answer = await person.json("POST", path, body);
  expect(answer).toMatchObject({ status: 409, body: { code: "not_for_sale" } });
  expect(await requestsTo(app, /checkout/)).toEqual([]);
});

test("what is not marked is sold", async () => {
  const person = await signUp(app.url);
  const starter = { planKey: "starter", period: "month" };
  expect(await person.json("POST", "/api/payments/subscription/checkout", starter)).toMatchObject({
    status: 200,
  });
});

test("the page leaves out what is marked none, and a form for it says so", async () => {
  const page = await (await createClient(app.url).fetch("/en/pricing")).text();
  expect(page).toContain('value="starter"');
  expect(page).toContain('value="credits_small"');
  expect(page).not.toContain('value="pro"');
  expect(page).not.toContain('value="credits_large"');

  const person = await signUp(app.url);
  const form = { intent: "pack", skuKey: "credits_large" };
  const refused = await person.post("/en/pricing", form);
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("This isn’t for sale here");
});
