import { Router } from "express";
import { z } from "zod";
import { periodOf } from "../payments/billing-period";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeBilling } from "./stripe-billing";
import { toSeconds } from "./stripe-next-period";
import { parseParams } from "./stripe-params";
import { noSuch, StripeRefusal } from "./stripe-refusal";
import type { StripeSchedule, StripeState } from "./stripe-state";

interface SchedulesContext {
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
}

const instant = z.string().regex(/^\d+$/).transform(Number);
const items = z.tuple([z.strictObject({ price: z.string(), quantity: z.literal("1") })]);
const unprorated = { items, proration_behavior: z.literal("none") };

const creation = z.strictObject({ from_subscription: z.string() });
const update = z.strictObject({
  end_behavior: z.literal("release"),
  proration_behavior: z.literal("none"),
  phases: z.tuple([
    z.strictObject({ ...unprorated, start_date: instant, end_date: instant }),
    z.strictObject({
      ...unprorated,
      duration: z.strictObject({
        interval: z.enum(["month", "year"]),
        interval_count: z.literal("1"),
      }),
    }),
  ]),
});
const noParams = z.strictObject({});

/** Subscription schedules: made of a subscription, given a later phase, released. */
export function createStripeSchedules({ state, prices, billing }: SchedulesContext): Router {
  const schedules = Router();

  schedules.post("/subscription_schedules", ({ body }, response) => {
    const { from_subscription: id } = parseParams(creation, body);
    const subscription = state.subscriptions[id];
    if (!subscription) throw noSuch("subscription", id, "from_subscription");
    if (subscription.schedule) throw refused("the subscription is already attached to a schedule");
    if (subscription.status === "canceled" || subscription.cancelAt !== null)
      throw refused("the subscription is canceled, or about to be");
    const schedule = billing.schedule(subscription);
    response.json(renderSchedule(schedule));
  });

  schedules.post("/subscription_schedules/:id", ({ params, body }, response) => {
    const { phases } = parseParams(update, body);
    const schedule = requireActive(state, params.id);
    const [running, next] = phases;
    const [now] = schedule.phases;
    const [{ price: runningPrice }] = running.items;
    if (running.start_date !== now?.start || running.end_date !== now.end)
      throw refused("the running phase can't be moved", "phases[0]");
    if (runningPrice !== now.priceId)
      throw refused("the running phase keeps its price", "phases[0][items]");
    const [{ price: priceId }] = next.items;
    const price = prices.find(({ id }) => id === priceId);
    if (!price) throw noSuch("price", priceId, "phases[1][items][0][price]");
    if (price.interval !== next.duration.interval)
      throw refused("a phase lasts whole intervals of its price", "phases[1][duration]");
    const later = periodOf(new Date(now.end * 1000), 0, price.interval === "year" ? 12 : 1);
    schedule.phases = [now, { priceId, start: now.end, end: toSeconds(later.end) }];
    response.json(renderSchedule(schedule));
  });

  schedules.post("/subscription_schedules/:id/release", ({ params, body }, response) => {
    parseParams(noParams, body);
    const schedule = requireActive(state, params.id);
    billing.release(schedule);
    response.json({ ...renderSchedule(schedule), subscription: null });
  });

  return schedules;
}

export function renderSchedule({ id, subscription, status, phases }: StripeSchedule) {
  const [now] = phases;
  return {
    id,
    object: "subscription_schedule",
    current_phase: now && { start_date: now.start, end_date: now.end },
    end_behavior: "release",
    livemode: false,
    phases: phases.map(({ priceId, start, end }) => ({
      start_date: start,
      end_date: end,
      discounts: [],
      items: [{ price: priceId, quantity: 1 }],
      proration_behavior: "none",
    })),
    status,
    subscription,
  };
}

function requireActive({ schedules }: StripeState, id: string): StripeSchedule {
  const schedule = schedules[id];
  if (!schedule) throw noSuch("subscription schedule", id, "schedule", 404);
  if (schedule.status === "active") return schedule;
  throw refused(
    "You cannot change or release a subscription schedule that is currently in the `released` status. It must be in the `not_started` or `active` status.",
  );
}

function refused(message: string, param?: string): StripeRefusal {
  return new StripeRefusal({ status: 400, message, ...(param ? { param } : {}) });
}
