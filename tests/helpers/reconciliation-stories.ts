import { MIDDLE_PACK, PLAN, written } from "../fixtures/sold";
import { press } from "./payments";
import { deliverAll, subscriptionOf } from "./reconciliation";
import type { ReceivedWebhook } from "./webhook-receiver";
import type { PaymentServerUnderTest } from "./with-payment-server";

/** Events of a user at the provider; each step returns the webhooks it caused. */
type Story = (app: PaymentServerUnderTest) => Promise<{
  email: string;
  /** The webhooks that were delivered, and those that were lost. */
  delivered: ReceivedWebhook[];
  lost: ReceivedWebhook[];
}>;

/** A purchase of a plan by a new user. */
export const buyPlan = async (app: PaymentServerUnderTest) => {
  const purchase = await app.buy("plan");
  const { email } = purchase.person;
  return { ...purchase, email, id: subscriptionOf(purchase), delivered: purchase.webhooks };
};

const HALF_PACK = Math.floor(MIDDLE_PACK.amount / 2);
const HALF_MONTH = Math.floor(PLAN.amounts.month / 2);

/** A pattern for exactly this text. */
const textLike = (text: string) => new RegExp(`^${text.replaceAll(".", "\\.")}$`);

/** Each story happens while no webhook arrives; `says` is what reconciliation then reports. */
export const STORIES: Record<string, { says: RegExp; story: Story }> = {
  "a pack": {
    says: textLike(
      `${MIDDLE_PACK.credits} credits for ${written(MIDDLE_PACK.amount)}: paid there, no order here`,
    ),
    async story(app) {
      const { person, webhooks } = await app.buy("pack");
      return { email: person.email, delivered: [], lost: webhooks };
    },
  },
  "a subscription": {
    says: /^active there, not here$/,
    async story(app) {
      const { email, webhooks } = await buyPlan(app);
      return { email, delivered: [], lost: webhooks };
    },
  },
  "a renewal": {
    says: /^period from \S+ there, \S+ here; period until \S+ there, \S+ here; paid until \S+ there, \S+ here$/,
    async story(app) {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/subscriptions/${id}/renew`, {}),
      );
      return { email, delivered, lost };
    },
  },
  "a cancellation scheduled in the portal": {
    says: /^ends with its period yes there, no here$/,
    async story(app) {
      const { email, id, person, delivered } = await buyPlan(app);
      await deliverAll(app, delivered);
      const { body } = await person.json("POST", "/api/payments/portal");
      const lost = await app.hold(() =>
        press(String(body.url), { intent: "cancel_at_period_end", subscription: id }),
      );
      return { email, delivered, lost };
    },
  },
  "an end at once": {
    says: /^status canceled there, active here$/,
    async story(app) {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/subscriptions/${id}/cancel`),
      );
      return { email, delivered, lost };
    },
  },
  "a renewal that failed": {
    says: /^status past_due there, active here/,
    async story(app) {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/subscriptions/${id}/renew`, { outcome: "fail" }),
      );
      return { email, delivered, lost };
    },
  },
  "a refund": {
    says: textLike(`${written(HALF_PACK)} paid back there, ${written(0)} here`),
    async story(app) {
      const { person, sessionId, webhooks } = await app.buy("pack");
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/payments/${sessionId}/refund`, {
          amount: HALF_PACK,
        }),
      );
      return { email: person.email, delivered: webhooks, lost };
    },
  },
  "a payment after all, and a cancellation": {
    says: /ends with its period yes there, no here; paid until \S+ there/,
    async story(app) {
      const { email, id, person, delivered } = await buyPlan(app);
      const failed = await app.hold(() =>
        app.control(app.provider, "POST", `/subscriptions/${id}/renew`, { outcome: "fail" }),
      );
      await deliverAll(app, [...delivered, ...failed]);
      const { body } = await person.json("POST", "/api/payments/portal");
      const lost = await app.hold(async () => {
        await app.control(app.provider, "POST", `/subscriptions/${id}/collect`);
        await press(String(body.url), { intent: "cancel_at_period_end", subscription: id });
      });
      return { email, delivered: [...delivered, ...failed], lost };
    },
  },
  "a dispute": {
    says: textLike(`${written(MIDDLE_PACK.amount)} disputed there, ${written(0)} here`),
    async story(app) {
      const { person, sessionId, webhooks } = await app.buy("pack");
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/payments/${sessionId}/dispute`),
      );
      return { email: person.email, delivered: webhooks, lost };
    },
  },
  "a refund of half a month": {
    says: textLike(`${written(HALF_MONTH)} paid back there, ${written(0)} here`),
    async story(app) {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/payments/${id}/refund`, {
          amount: HALF_MONTH,
        }),
      );
      return { email, delivered, lost };
    },
  },
  "a renewal and its refund": {
    says: /^period from/,
    async story(app) {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(async () => {
        await app.control(app.provider, "POST", `/subscriptions/${id}/renew`, {});
        await app.control(app.provider, "POST", `/payments/${id}/refund`);
      });
      return { email, delivered, lost };
    },
  },
  "a dispute of a month": {
    says: textLike(`${written(PLAN.amounts.month)} disputed there, ${written(0)} here`),
    async story(app) {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(() =>
        app.control(app.provider, "POST", `/payments/${id}/dispute`),
      );
      return { email, delivered, lost };
    },
  },
  "a pack and its refund": {
    says: new RegExp(`^${MIDDLE_PACK.credits} credits`),
    async story(app) {
      const { person, sessionId, webhooks } = await app.buy("pack");
      const refund = await app.hold(() =>
        app.control(app.provider, "POST", `/payments/${sessionId}/refund`),
      );
      return { email: person.email, delivered: [], lost: [...webhooks, ...refund] };
    },
  },
  "a subscription, its renewal and its end": {
    says: /^canceled there, not here$/,
    async story(app) {
      const { email, id, webhooks } = await buyPlan(app);
      const rest = await app.hold(async () => {
        await app.control(app.provider, "POST", `/subscriptions/${id}/renew`, {});
        await app.control(app.provider, "POST", `/subscriptions/${id}/cancel`);
      });
      return { email, delivered: [], lost: [...webhooks, ...rest] };
    },
  },
};
