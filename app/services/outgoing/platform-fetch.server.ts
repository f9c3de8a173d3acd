import { AsyncLocalStorage } from "node:async_hooks";
import { log } from "~/utils/logger.server";

type Fetch = typeof globalThis.fetch;

/** Under this name a closed `fetch` keeps the platform's: Vite loads this file again after an edit. */
const PLATFORM = Symbol.for("the platform's fetch");

const current: Fetch & { [PLATFORM]?: Fetch } = globalThis.fetch;

/** Node's own `fetch`. Only this folder may use it. */
export const platformFetch: Fetch = current[PLATFORM] ?? current;

const lent = new AsyncLocalStorage<Fetch>();

/**
 * Replaces the global `fetch` of this process by one that throws, so that no library fetches anything on
 * its own. Call it before anything is served.
 */
export function closeGlobalFetch(): void {
  const closed: Fetch = async (input, init) => {
    const borrowed = lent.getStore();
    if (borrowed) return borrowed(input, init);
    const { host } = new URL(input instanceof Request ? input.url : input);
    log().error({ host }, "a library tried to fetch an address on its own");
    throw new Error(`no fetch of ${host}: calls go through app/services/outgoing/ only`);
  };
  globalThis.fetch = Object.assign(closed, { [PLATFORM]: platformFetch });
}

/** Runs `call`, with this `fetch` as the global one inside: for a library that takes none. */
export function lendFetch<Result>(fetch: Fetch, call: () => Promise<Result>): Promise<Result> {
  return lent.run(fetch, call);
}
