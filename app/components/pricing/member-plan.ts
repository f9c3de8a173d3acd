import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

/** The plan that a member has, when its next credits come, and what becomes of it. */
export type MemberPlan = ShownSubscription;
