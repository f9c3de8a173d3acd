import type { RateLimitName } from "~/server/rate-limit-rules";

/** Sends one request of a subject's flood; `n` counts them. */
export type Send = (n: number) => Promise<Response>;

/** Prepares a new subject: a person, a session, an address. */
export type Flood = () => Promise<Send>;

/** By route, as `ROUTE_LIMITS` names it, and by the limit that stops the flood. */
export type Floods = Record<string, Partial<Record<RateLimitName, Flood>>>;
