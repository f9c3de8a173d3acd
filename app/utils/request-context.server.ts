import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestContext {
  requestId: string;
  /** The visitor's address as limits count it; absent for what was refused before it was known. */
  network?: string;
  /** Whose session the request has, once it was read. */
  userId?: string;
  sessionId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that every log line written inside it carries the request's id. */
export function runWithRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The request being served, or undefined outside one (commands, start-up). */
export function currentRequest(): Readonly<RequestContext> | undefined {
  return storage.getStore();
}

/** The id of the request being served, or undefined outside one. */
export function currentRequestId(): string | undefined {
  return currentRequest()?.requestId;
}

/** Notes whose session the request has, for its own line and its security events. */
export function noteRequestUser(user: { userId: string; sessionId: string }): void {
  const context = storage.getStore();
  if (context) Object.assign(context, user);
}
