import { CURRENCY } from "~/catalog";
import { writeShown } from "~/services/payments/top-up-form";
import { wantedItemPath } from "~/services/payments/wanted-item";
import { PACK, PLAN } from "../../fixtures/sold";
import type { Flood, Floods } from "./flood";
import type { Stage } from "./stage";
import { postJson } from "./visitor-floods";

const TOP_UP_PAGE = "/en/account/billing/top-up";
const WANTED = { intent: "pack" as const, skuKey: PACK.skuKey };

/** Makes floods of a signed-in person's requests. */
interface Senders {
  post: (path: string, fields?: Record<string, string>) => Flood;
  json: (path: string, body?: object) => Flood;
}

/** Floods of people who buy, and of those who have a plan. */
export function buyerFloods(stage: Stage, { post, json }: Senders): Floods {
  const subscriber =
    (send: (buyer: Awaited<ReturnType<Stage["subscriber"]>>) => Promise<Response>): Flood =>
    async () => {
      const buyer = await stage.subscriber();
      return () => send(buyer);
    };

  /** Automatic top-up is on; the card is one that Stripe doesn't know. */
  const withKeptCard: Flood = async () => {
    const person = await stage.person();
    await stage.app.sql(
      `WITH account AS (
         INSERT INTO credit_accounts (user_id) SELECT id FROM users WHERE email = $1
         ON CONFLICT (user_id) DO UPDATE SET balance = credit_accounts.balance RETURNING user_id)
       INSERT INTO account_settings (account_id, provider_customer_id, payment_method_id,
         threshold, sku_key, monthly_amount, agreed_amount, agreed_currency, agreed_at)
       SELECT user_id, 'cus_flood', 'pm_flood', 1, $2, $3, $3, $4, now() FROM account`,
      [person.email, PACK.skuKey, PACK.amount, CURRENCY],
    );
    return () => person.fetch(TOP_UP_PAGE);
  };

  return {
    "POST /{locale}/pricing": {
      "checkout-user": post("/en/pricing", { intent: "pack", skuKey: PACK.skuKey }),
    },
    "POST /{locale}/checkout/start": {
      "checkout-user": post(wantedItemPath("en", WANTED), WANTED),
    },
    "POST /api/payments/checkout": {
      "checkout-user": json("/api/payments/checkout", { skuKey: PACK.skuKey }),
    },
    "POST /api/payments/subscription/checkout": {
      "checkout-user": json("/api/payments/subscription/checkout", {
        planKey: PLAN.planKey,
        period: "month",
      }),
    },
    "POST /{locale}/account/billing": {
      "portal-user": subscriber((buyer) => buyer.post("/en/account/billing", { intent: "portal" })),
    },
    "POST /api/payments/portal": {
      "portal-user": subscriber((buyer) => postJson(buyer, "/api/payments/portal", {})),
    },
    "POST /{locale}/account/billing/cancel": {
      "cancel-resume-user": subscriber((buyer) =>
        buyer.post(`/en/account/billing/cancel?subscription=${buyer.subscriptionId}`, {}),
      ),
    },
    "POST /{locale}/account/billing/resume": {
      "cancel-resume-user": subscriber((buyer) =>
        buyer.post(`/en/account/billing/resume?subscription=${buyer.subscriptionId}`, {}),
      ),
    },
    "POST /api/payments/subscription/resume": {
      "cancel-resume-user": subscriber((buyer) =>
        postJson(buyer, "/api/payments/subscription/resume", {}),
      ),
    },
    "POST /api/payments/subscription/cancel": {
      "cancel-resume-user": subscriber((buyer) =>
        postJson(buyer, "/api/payments/subscription/cancel", {}),
      ),
    },
    "GET /{locale}/account/billing": {
      "billing-page-user": subscriber((buyer) => buyer.fetch("/en/account/billing")),
    },
    "GET /{locale}/account/billing/change": {
      "plan-change-user": subscriber((buyer) => buyer.fetch("/en/account/billing/change")),
    },
    "POST /{locale}/account/billing/change": {
      "plan-change-user": subscriber((buyer) =>
        buyer.post("/en/account/billing/change", { intent: "undo" }),
      ),
    },
    "GET /{locale}/account/billing/top-up": {
      "billing-page-user": withKeptCard,
    },
    "POST /{locale}/account/billing/top-up": {
      "form-session": post(TOP_UP_PAGE, { intent: "off" }),
      "checkout-user": post(TOP_UP_PAGE, {
        ...{ intent: "card", threshold: "1", skuKey: PACK.skuKey, monthlyAmount: "9999999" },
        shown: writeShown([PACK]),
      }),
    },
  };
}
