import { type Response, Router } from "express";
import { z } from "zod";
import type { ControlActions } from "./control-actions";

const minorUnits = z.int().min(1);
const currency = z.string().regex(/^[a-z]{3}$/);
const refund = z.strictObject({ amount: minorUnits.optional(), status: z.string().optional() });
const dispute = refund.extend({ currency: currency.optional() });
const settlement = z.strictObject({ status: z.string() });
const charge = z.strictObject({ amount: minorUnits, currency });

interface ReturnRoutes {
  actions: ControlActions;
  /** Responds once the action's events were sent; 404 if there is no result. */
  reply(response: Response, result: object | null): Promise<void>;
}

/** Control routes of money that goes back: refunds and disputes, and what becomes of them. */
export function createReturnRoutes({ actions, reply }: ReturnRoutes): Router {
  const routes = Router();
  routes.put("/payments/:id/charge", ({ params, body }, response) =>
    reply(response, actions.recharge(params.id, charge.parse(body))),
  );
  routes.post("/payments/:id/refund", ({ params, body }, response) =>
    reply(response, actions.refund(params.id, refund.parse(body ?? {}))),
  );
  routes.post("/payments/:id/dispute", ({ params, body }, response) =>
    reply(response, actions.dispute(params.id, dispute.parse(body ?? {}))),
  );
  routes.post("/refunds/:id/status", ({ params, body }, response) =>
    reply(response, actions.settleRefund(params.id, settlement.parse(body).status)),
  );
  routes.post("/disputes/:id/status", ({ params, body }, response) =>
    reply(response, actions.settleDispute(params.id, settlement.parse(body).status)),
  );
  return routes;
}
