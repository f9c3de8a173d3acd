import { AsyncLocalStorage } from "node:async_hooks";

/** The key that a request was sent with, in place of a session. */
export interface RequestKey {
  apiKeyId: string;
  /** The person for whom it acts. */
  userId: string;
  emailVerified: boolean;
}

export interface RequestContext {
  requestId: string;
  /** As it was sent. The loaders of a page that a form's refusal shows run as GET. */
  method?: string;
  /** The visitor's network as used in limits; absent if the request was refused before it was known. */
  network?: string;
  /** The visitor's address, of which wider networks are counted, too. Absent like the network. */
  address?: string;
  /** The session's user, once the session was read. */
  userId?: string;
  sessionId?: string;
  key?: RequestKey;
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

/** Whether the request being served may change something, by the method that it was sent with. */
export function mayChange(): boolean {
  const method = currentRequest()?.method ?? "GET";
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** The id of the request being served, or undefined outside one. */
export function currentRequestId(): string | undefined {
  return currentRequest()?.requestId;
}

/** Records the session's user, for the request's log line and its security events. */
export function noteRequestUser(user: { userId: string; sessionId: string }): void {
  const context = storage.getStore();
  if (context) Object.assign(context, user);
}

/** Records the key of a request and whose it is, for its log line and for the routes that take keys. */
export function noteRequestKey(key: RequestKey): void {
  const context = storage.getStore();
  if (context) Object.assign(context, { userId: key.userId, key });
}
