import { redirect } from "@remix-run/node";
import { z } from "zod";
import { findPlan, PERIODS } from "~/catalog";
import { findChangeable, offerPlanChange } from "~/models/billing/changes/offer.server";
import {
  changePlan,
  dropScheduledChange,
  type PlanChangeResult,
} from "~/models/billing/changes/plan-changes.server";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { noSubscription, requirePlanKey } from "~/server/payments/payments.server";
import { formRefused } from "~/server/request/form-refused.server";
import { idempotencyRefused } from "~/server/request/idempotency-key.server";
import { logFault } from "~/server/request/log-fault.server";
import { invalidInput, readForm } from "~/server/request/read-body.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import type { PlanTarget } from "~/services/payments/plan-changes";
import { AppError } from "~/utils/app-error";
import type { Refusal } from "~/utils/form-result";

/** The plan that the page's address asks about. An unknown one is none. */
const query = z.object({
  subscription: z.string().nullable(),
  plan: z.string().nullable(),
  period: z.enum(PERIODS).nullable().catch(null),
});

/** The page's own form names both in one: `pro.month`. */
function askedFor(searchParams: URLSearchParams) {
  const [plan, period] = searchParams.get("to")?.split(".") ?? [];
  return {
    plan: plan ?? searchParams.get("plan"),
    period: period ?? searchParams.get("period"),
  };
}

function readQuery(request: Request) {
  const { searchParams } = new URL(request.url);
  const { subscription, plan, period } = query.parse({
    subscription: searchParams.get("subscription"),
    ...askedFor(searchParams),
  });
  const planKey = findPlan(plan ?? "")?.planKey;
  const target: PlanTarget | null = planKey && period ? { planKey, period } : null;
  return { subscriptionId: subscription, target };
}

type Offer = Awaited<ReturnType<typeof offerPlanChange>>;
type ShownChange =
  | { status: "none" }
  | { status: "offered"; offer: Offer }
  /** The provider failed, or was asked too often: then `response` says when to try again. */
  | { status: "failed"; subscription: OwnSubscription; refusal: Refusal; response: ResponseInit };

/** Returns what the page shows: the user's plan and, if the address names another one, its preview. */
export async function getPlanChange(request: Request, userId: string): Promise<ShownChange> {
  const { subscriptionId, target } = readQuery(request);
  const subscription = await findChangeable({ userId, subscriptionId });
  if (!subscription && subscriptionId !== null) throw new Response(null, { status: 404 });
  if (!subscription) return { status: "none" };
  try {
    await enforceRateLimit(limitRule("plan-change-user", userId));
    const offer = await offerPlanChange({ subscription, target }, getPaymentProvider);
    return { status: "offered", offer };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logFault(error);
    return {
      status: "failed",
      subscription,
      refusal: { code: error.code, fields: {}, figures: {} },
      response:
        error.code === "rate_limited" ? { status: error.status, headers: error.headers } : {},
    };
  }
}

const digits = z.string().regex(/^\d{1,15}$/);
const changeForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("change"),
    plan: z.string(),
    period: z.enum(PERIODS),
    /** Shown by the page, in Unix seconds and minor units. Neither for a change at the period's end. */
    at: digits.transform((seconds) => new Date(Number(seconds) * 1000)).optional(),
    amountDue: digits.transform(Number).optional(),
  }),
  z.object({ intent: z.literal("undo") }),
]);
const FIELDS = ["intent", "plan", "period", "at", "amountDue"];

/** Changes the plan or drops a planned change, then redirects to a page that says so. */
export async function changeFromForm(
  request: Request,
  { userId, locale }: { userId: string; locale: string },
) {
  const { subscriptionId } = readQuery(request);
  const form = changeForm.safeParse(Object.fromEntries(await readForm(request, FIELDS)));
  const billing = `/${locale}/account/billing`;
  try {
    if (!form.success) throw invalidInput(form.error);
    await enforceRateLimit(limitRule("plan-change-user", userId));
    const subscription = await findChangeable({ userId, subscriptionId });
    if (!subscription) throw noSubscription();
    if (form.data.intent === "undo") {
      const isDropped = await dropScheduledChange({ subscription }, getPaymentProvider);
      if (!isDropped) throw idempotencyRefused("idempotency_in_progress");
      return redirect(`${billing}?done=kept`, 303);
    }
    const { plan, period, at, amountDue } = form.data;
    const target = { planKey: requirePlanKey(plan), period };
    const shown = at && amountDue !== undefined ? { at, amountDue } : null;
    const result = await changePlan({ subscription, target, shown }, getPaymentProvider);
    return redirect(`${billing}${pathAfter(result, subscription.id)}`, 303);
  } catch (error) {
    return formRefused({ error });
  }
}

/** The page that shows the result; throws an AppError if nothing was changed. */
function pathAfter(result: PlanChangeResult, subscriptionId: string): string {
  switch (result.status) {
    case "changed":
      return `/switched?subscription=${subscriptionId}`;
    case "scheduled":
      return "?done=planned";
    case "payment_open":
      return `/change?subscription=${subscriptionId}`;
    case "same_plan":
      throw new AppError({
        code: "plan_unchanged",
        publicMessage: "You already have this plan, so nothing was charged. Choose another one.",
      });
    case "locked":
    case "unsupported":
      throw new AppError({
        code: "plan_locked",
        publicMessage: "You can't change your plan right now, and nothing was charged.",
      });
    case "outdated":
      throw new AppError({
        code: "price_outdated",
        publicMessage:
          "The amount has changed, so nothing was charged. Check it, then confirm again.",
      });
    case "busy":
      throw idempotencyRefused("idempotency_in_progress");
  }
}
