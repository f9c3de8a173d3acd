import express, { type Router } from "express";
import { z } from "zod";

interface Switchboard<Order> {
  order(fault: Order): void;
  calls(): object;
  reset(): void;
}

/**
 * A sandbox's switchboard over HTTP, for tests whose server is another process: POST /faults orders a fault, as the
 * schema has it, GET /calls returns the counters, POST /reset clears both.
 */
export function controlRoutes<Order>(
  schema: z.ZodType<Order>,
  switchboard: Switchboard<Order>,
): Router {
  const router = express.Router();
  router.use(express.json());
  router.post("/faults", (request, response) => {
    const order = schema.safeParse(request.body);
    if (!order.success)
      return void response.status(400).json({ error: z.prettifyError(order.error) });
    switchboard.order(order.data);
    response.sendStatus(204);
  });
  router.get("/calls", (_request, response) => {
    response.json(switchboard.calls());
  });
  router.post("/reset", (_request, response) => {
    switchboard.reset();
    response.sendStatus(204);
  });
  return router;
}
