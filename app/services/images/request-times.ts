/** Limit for one look at a request, so that one lost response does not use up the deadline. */
export const LOOK_MS = 10_000;

/** Limit for telling a provider to stop. */
export const CANCEL_MS = 2_000;
