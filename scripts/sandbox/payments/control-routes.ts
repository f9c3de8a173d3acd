import express, { type Response, Router } from "express";
import { z } from "zod";
import { CURRENCY } from "../../../app/catalog";
import { asyncRoute } from "./async-route";
import type { ControlActions } from "./control-actions";
import type { DeliveryEngine } from "./delivery-engine";
import { deliveryMode } from "./delivery-mode";
import type { PriceBook } from "./price-book";
import type { RecordedRequest } from "./request-log";
import { createReturnRoutes } from "./return-routes";

/** Milliseconds that an action waits for its deliveries. */
export const SETTLE_MS = 30_000;

const url = z.url({ protocol: /^https?$/ });
const endpoint = z.strictObject({ url });
const redelivery = z.strictObject({
  copies: z.int().min(1).max(100).default(1),
  urls: z.array(url).default([]),
});
const renewal = z.strictObject({ outcome: z.enum(["succeed", "fail"]).default("succeed") });
const repricing = z.strictObject({ price: z.string() });
const newPrice = z.strictObject({
  name: z.string().default("A price of the dashboard"),
  amount: z.int().min(0),
  currency: z.string().default(CURRENCY),
  interval: z.enum(["month", "year"]).nullable(),
});

interface ControlRoutes {
  engine: DeliveryEngine;
  requests: readonly RecordedRequest[];
  actions: ControlActions;
  book: PriceBook;
  /** Further routes, some of one provider only. */
  more: (Router | undefined)[];
}

/**
 * The sandbox's remote control, for tests in other processes:
 *
 *     GET  /deliveries                        the log: events, their state, every attempt
 *     POST /deliveries/:eventId/redeliver     {copies?, urls?}: again, that often at once
 *     POST /deliveries/settle                 wait until each event went out once
 *     PUT  /mode                              {duplicates?, order?, delayMs?, drop?}
 *     PUT  /api                               {silent}: whether the API leaves requests unanswered
 *     PUT  /endpoint                          {url}: where deliveries go from now on
 *     GET  /requests                          what the app asked of the API
 *     GET  /state                             what exists
 *     PUT  /payments/:id/charge               {amount, currency}: what the buyer was charged
 *     POST /payments/:id/refund               {amount?, status?}, in minor units
 *     POST /payments/:id/dispute              {amount?, status?, currency?}
 *     POST /refunds/:id/status                {status}
 *     POST /disputes/:id/status               {status}
 *     PUT  /prices/:id                        {amount, interval, currency?, name?}: a price of the dashboard
 *     POST /subscriptions/:id/renew           {outcome?: "succeed" | "fail"}
 *     POST /subscriptions/:id/price           {price}
 *     POST /subscriptions/:id/collect | cancel | pause | keep | forget
 *     POST /customers/:id/forget
 */
export function createControlRoutes({
  engine,
  requests,
  actions,
  book,
  more,
}: ControlRoutes): Router {
  const routes = Router();
  routes.use(express.json());

  /** Responds after the action's events were sent, so that a test needn't wait. */
  async function reply(response: Response, result: object | null): Promise<void> {
    await engine.idle(SETTLE_MS);
    if (result) response.json(result);
    else response.status(404).json({ error: "there is no such object, or it is over" });
  }

  routes.get("/deliveries", (_request, response) => void response.json(engine.list()));
  routes.get("/requests", (_request, response) => void response.json(requests));
  routes.get("/state", (_request, response) => void response.json(actions.readState()));
  routes.post("/deliveries/settle", (_request, response) => reply(response, {}));
  routes.post(
    "/deliveries/:id/redeliver",
    asyncRoute(async ({ params, body }, response) => {
      const { copies, urls } = redelivery.parse(body ?? {});
      const attempts = await engine.redeliver(params.id ?? "", copies, urls);
      await reply(response, attempts && { attempts });
    }),
  );
  routes.put("/mode", ({ body }, response) => {
    engine.setMode(deliveryMode.parse(body));
    response.json(engine.mode());
  });
  routes.put("/endpoint", ({ body }, response) => {
    engine.setWebhookUrl(endpoint.parse(body).url);
    response.json({});
  });
  routes.use(createReturnRoutes({ actions, reply }));
  routes.put("/prices/:id", ({ params, body }, response) => {
    const price = { id: params.id, ...newPrice.parse(body) };
    book.set(price);
    response.json(price);
  });
  routes.post("/subscriptions/:id/renew", ({ params, body }, response) =>
    reply(response, actions.renew(params.id, renewal.parse(body ?? {}).outcome)),
  );
  routes.post("/subscriptions/:id/price", ({ params, body }, response) =>
    reply(response, actions.reprice(params.id, repricing.parse(body).price)),
  );
  for (const name of ["collect", "cancel", "pause", "keep"] as const)
    routes.post(`/subscriptions/:id/${name}`, ({ params }, response) =>
      reply(response, actions[name](params.id ?? "")),
    );
  for (const kind of ["subscription", "customer"] as const)
    routes.post(`/${kind}s/:id/forget`, ({ params }, response) =>
      reply(response, actions.forget(kind, params.id ?? "")),
    );
  for (const router of more) if (router) routes.use(router);
  routes.use(reportMistake);
  return routes;
}

/** Returns 400 with the reason for an invalid control request. Four arguments mark it for Express. */
const reportMistake: express.ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(400).json({ error: error instanceof Error ? error.message : String(error) });
};
