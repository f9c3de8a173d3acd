import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { MemberPlan } from "~/components/pricing/member-plan";
import {
  startPackCheckout,
  startSubscriptionCheckout,
} from "~/models/billing/checkouts/checkouts.server";
import { getRunningSubscription } from "~/models/billing/subscriptions/management.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import {
  checkoutResponse,
  limitCheckouts,
  requireCheckoutProvider,
  requirePlanForSale,
  requireSku,
} from "~/server/payments/payments.server";
import { formRefused } from "~/server/request/form-refused.server";
import { invalidInput, readForm } from "~/server/request/read-body.server";
import {
  packCheckoutSchema,
  subscriptionCheckoutSchema,
} from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const checkoutFormSchema = z.discriminatedUnion("intent", [
  packCheckoutSchema.extend({ intent: z.literal("pack") }),
  subscriptionCheckoutSchema.extend({ intent: z.literal("plan") }),
]);
const FIELDS = ["intent", "skuKey", "planKey", "period"];

type CheckoutForm = z.output<typeof checkoutFormSchema>;

/** Returns the user's running plan; null if there is none. */
export async function findMemberPlan(userId: string): Promise<MemberPlan | null> {
  const running = await getRunningSubscription(userId);
  return running && showSubscription(running, new Date());
}

interface Buyer {
  userId: string;
  email: string;
  emailVerified: boolean;
  locale: string;
}

/**
 * Starts the requested checkout and redirects the buyer to it. Same order as the JSON API: check
 * the input, then the rate limit, then start.
 */
export async function checkoutFromForm(request: Request, buyer: Buyer) {
  const fields = Object.fromEntries(await readForm(request, FIELDS));
  const form = checkoutFormSchema.safeParse(fields);
  try {
    if (!form.success) throw invalidInput(form.error);
    return redirect(await startCheckout(form.data, buyer), 303);
  } catch (error) {
    return formRefused({ error });
  }
}

/** Returns the URL of the hosted checkout. */
async function startCheckout(form: CheckoutForm, buyer: Buyer): Promise<string> {
  const { emailVerified, ...request } = { ...buyer, idempotencyKey: null };
  if (form.intent === "pack") {
    const skuKey = requireSku(form.skuKey);
    await limitCheckouts(buyer.userId);
    const provider = requireCheckoutProvider({ emailVerified });
    const result = await startPackCheckout({ ...request, skuKey }, provider);
    return checkoutResponse(result).url;
  }
  const { period } = form;
  const planKey = requirePlanForSale(form.planKey, period);
  await limitCheckouts(buyer.userId);
  const result = await startSubscriptionCheckout(
    { ...request, planKey, period },
    { provider: requireCheckoutProvider({ emailVerified }), providerOf: getPaymentProvider },
  );
  return checkoutResponse(result).url;
}
