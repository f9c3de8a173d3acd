import type Stripe from "stripe";
import type { PortalFault } from "~/services/payments/provider-inspection.server";

type Features = Stripe.BillingPortal.Configuration["features"];

/**
 * Settings of Stripe's customer portal with which customers get credits that nobody pays for. Credits
 * are spent, so money for unused time must never come back in the middle of a period.
 */
export function listPortalFaults({
  active,
  features,
}: Pick<Stripe.BillingPortal.Configuration, "active" | "features">): PortalFault[] {
  const faults: PortalFault[] = [];
  if (!active) faults.push({ setting: "it is inactive", remedy: "activate it" });
  return [
    ...faults,
    ...listCancelFaults(features.subscription_cancel),
    ...listPauseFaults(features.subscription_pause),
    ...listUpdateFaults(features.subscription_update),
  ];
}

function listCancelFaults(cancel: Features["subscription_cancel"]): PortalFault[] {
  const { enabled, mode, proration_behavior: proration } = cancel;
  if (!enabled || mode === "at_period_end" || proration === "none") return [];
  return [
    {
      setting: `a cancellation takes effect at once and pays back unused time (${proration})`,
      remedy: "let customers cancel at the end of the billing period",
    },
  ];
}

/** API versions before pauses were offered have no such feature. */
function listPauseFaults(pause: Features["subscription_pause"] | undefined): PortalFault[] {
  if (!pause?.enabled) return [];
  return [
    {
      setting: "customers can pause, and a new period starts when they resume",
      remedy: "turn pauses off",
    },
  ];
}

const AT_PERIOD_END = ["decreasing_item_amount", "shortening_interval"];

function listUpdateFaults(update: Features["subscription_update"]): PortalFault[] {
  if (!update.enabled) return [];
  const conditions = update.schedule_at_period_end.conditions.map(({ type }) => String(type));
  const missing = AT_PERIOD_END.filter((type) => !conditions.includes(type));
  const faults: PortalFault[] = [];
  if (missing.length > 0)
    faults.push({
      setting: `downgrades take effect at once (not scheduled at the period's end: ${missing.join(", ")})`,
      remedy: "schedule downgrades and shorter intervals at the end of the period",
    });
  if (update.proration_behavior !== "always_invoice")
    faults.push({
      setting: `an upgrade is not charged at once (${update.proration_behavior})`,
      remedy: "charge the prorated difference at once",
    });
  if (update.billing_cycle_anchor === "now")
    faults.push({
      setting: "a change of plan starts a new period",
      remedy: "keep the billing cycle unchanged",
    });
  if (update.default_allowed_updates.includes("quantity"))
    faults.push({
      setting: "customers can change the quantity, which the credits do not follow",
      remedy: "turn changes of quantity off",
    });
  return faults;
}
