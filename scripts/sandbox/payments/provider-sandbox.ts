import express, { type Express, type Router } from "express";
import type { ControlActions } from "./control-actions";
import { createControlRoutes } from "./control-routes";
import { createDeliveryEngine, type DeliveryEngine } from "./delivery-engine";
import { createPriceBook } from "./price-book";
import { type RecordedRequest, recordRequests } from "./request-log";
import type { SandboxPrice } from "./sandbox-catalog";
import { openState } from "./saved-state";
import { createSilenceRoute, leaveUnanswered } from "./silence";

/** Options that the sandboxes of all providers take. */
export interface SandboxOptions {
  apiKey: string;
  webhookSecret: string;
  webhookUrl: string;
  prices: readonly SandboxPrice[];
  /** How many times faster than the provider it retries. */
  retrySpeed: number;
  /** Keeps the state between starts. Without it, the state is in memory only. */
  stateFile: string | undefined;
}

/** One provider's delivery rules, API and pages. */
interface Provider<State> {
  emptyState: State;
  /** Makes today's state of one that the version before saved. */
  upgradeState(saved: unknown): Partial<State>;
  delivery: Pick<
    Parameters<typeof createDeliveryEngine>[0],
    "sign" | "isAccepted" | "retrySeconds"
  >;
  open(context: { state: State; prices: readonly SandboxPrice[]; engine: DeliveryEngine }): {
    /** Served under `/v1`. `record` goes after its body parsers. */
    createApi(context: { baseUrl: string; record: express.RequestHandler }): Router;
    pages: Router;
    actions: ControlActions;
    /** Its own routes under `/control`. */
    control?: Router;
  };
}

/** A stand-in for a provider: API under `/v1`, hosted pages, webhooks, and a remote control. */
export function createProviderSandbox<State extends { prices: Record<string, SandboxPrice> }>(
  { webhookUrl, retrySpeed, stateFile, prices }: SandboxOptions,
  { emptyState, upgradeState, delivery, open }: Provider<State>,
) {
  const { data: state, save } = openState(stateFile, emptyState, upgradeState);
  const book = createPriceBook(prices, state.prices);
  const requests: RecordedRequest[] = [];
  const engine = createDeliveryEngine({ webhookUrl, retrySpeed, ...delivery });
  const silence = { isSilent: false };
  const { createApi, pages, actions, control } = open({ state, prices: book.prices, engine });

  function createApp(baseUrl: string): Express {
    const app = express();
    app.disable("x-powered-by");
    app.use((_request, response, next) => {
      response.on("finish", save);
      next();
    });
    app.use("/v1", leaveUnanswered(silence));
    app.use("/v1", createApi({ baseUrl, record: recordRequests(requests) }));
    const more = [createSilenceRoute(silence), control];
    app.use("/control", createControlRoutes({ engine, requests, actions, book, more }));
    app.use(pages);
    return app;
  }

  return { createApp, engine };
}
