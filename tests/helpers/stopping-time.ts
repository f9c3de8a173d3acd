/**
 * For a test of how a server ends. It has five seconds for it, in real time, and a machine that stands still takes
 * them from it.
 */
export const IN_FIVE_SECONDS = { retry: 2 };
