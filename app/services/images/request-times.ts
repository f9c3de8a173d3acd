/** Limit for one look at a request, so that one lost response does not use up the deadline. */
export const LOOK_MS = 10_000;

/** The first and the last look at a request have this long in any case. */
export const LEAST_LOOK_MS = 2_000;

/** Limit for telling a provider to stop. */
export const CANCEL_MS = 2_000;
