import { AsyncLocalStorage } from "node:async_hooks";

interface RequestContext {
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that every log line written inside it carries the request's id. */
export function runWithRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The id of the request being served, or undefined outside one (commands, start-up). */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
