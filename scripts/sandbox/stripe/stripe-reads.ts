import { Router } from "express";
import { z } from "zod";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import { noParams, parseParams } from "./stripe-params";
import { StripeRefusal } from "./stripe-refusal";
import { renderPrice } from "./subscription-objects";

/** The only endpoint that the sandbox delivers to. */
export interface SandboxEndpoint {
  url: string;
  /** Event types that are sent to it; `*` means all. */
  events: string[];
}

export type TaxStatus = "active" | "pending";

/** Read settings that the control routes change. */
export interface StripeSettingsReaders {
  readEndpoint: () => SandboxEndpoint;
  readTaxStatus: () => TaxStatus;
}

const listParams = z.strictObject({ limit: z.string().regex(/^([1-9]\d?|100)$/) });

/** Endpoints for the pre-deploy check: prices, tax settings and webhook endpoints. */
export function createStripeReads(
  prices: readonly SandboxPrice[],
  { readEndpoint, readTaxStatus }: StripeSettingsReaders,
): Router {
  const reads = Router();
  reads.get("/prices/:id", ({ params: { id }, query }, response) => {
    parseParams(noParams, query);
    const price = prices.find((candidate) => candidate.id === id);
    if (!price) {
      const message = `No such price: '${id}'`;
      throw new StripeRefusal({ status: 404, code: "resource_missing", message, param: "price" });
    }
    response.json(renderPrice(price));
  });
  reads.get("/tax/settings", ({ query }, response) => {
    parseParams(noParams, query);
    response.json({ object: "tax.settings", livemode: false, status: readTaxStatus() });
  });
  reads.get("/webhook_endpoints", ({ query }, response) => {
    parseParams(listParams, query);
    const { url, events } = readEndpoint();
    const endpoint = {
      id: "we_sandbox",
      object: "webhook_endpoint",
      enabled_events: events,
      livemode: false,
      status: "enabled",
      url,
    };
    response.json({
      object: "list",
      data: [endpoint],
      has_more: false,
      url: "/v1/webhook_endpoints",
    });
  });
  return reads;
}
