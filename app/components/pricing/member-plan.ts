import type { Period, PlanKey } from "~/catalog";
import type { NextCredits } from "~/models/billing/subscriptions/next-credits";

/** The plan that a member has, and when its next credits come. */
export interface MemberPlan {
  planKey: PlanKey;
  period: Period;
  next: NextCredits;
}
