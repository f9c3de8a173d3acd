import { Router } from "express";
import { z } from "zod";
import type { SandboxEvent } from "../payments/delivery-engine";
import type { TaxStatus } from "./stripe-reads";
import type { Generation } from "./subscription-objects";

const enabledEvents = z.strictObject({ events: z.array(z.string()).min(1) });
const payloads = z.strictObject({ generation: z.enum(["acacia", "basil"]) });

const split = z.strictObject({ first: z.int().min(1).nullable() });
const taxSettings = z.strictObject({ status: z.enum(["active", "pending"]) });

/** The account's settings in the dashboard, and the control routes that change them. */
export function createSettings() {
  let generation: Generation = "basil";
  let enabled = ["*"];
  let taxStatus: TaxStatus = "active";
  let first: number | null = null;
  const control = Router();
  // The endpoint's API version decides the shape of its payloads.
  control.put("/payloads", ({ body }, response) => {
    generation = payloads.parse(body).generation;
    response.json({ generation });
  });
  // Events of other types are never sent to the settings.
  control.put("/enabled-events", ({ body }, response) => {
    enabled = enabledEvents.parse(body).events;
    response.json({ events: enabled });
  });
  control.put("/tax", ({ body }, response) => {
    taxStatus = taxSettings.parse(body).status;
    response.json({ status: taxStatus });
  });
  // From now on two payment intents pay an invoice; `first` is what the first one pays.
  control.put("/split", ({ body }, response) => {
    first = split.parse(body).first;
    response.json({ first });
  });
  return {
    control,
    splitAt: () => first,
    taxStatus: () => taxStatus,
    generation: () => generation,
    events: () => enabled,
    isEnabled: ({ type }: SandboxEvent) => enabled.includes("*") || enabled.includes(type),
  };
}
