import { z } from "zod";

/** How jobs of one kind are done. Times are in seconds. */
interface JobKind {
  /** Ids alone: what they name is read when the job is done, and nothing of it is kept in the queue. */
  data: z.ZodType;
  /** Further attempts after one that failed, or whose process died. 0 for what must not be done twice. */
  retries: number;
  /** Wait before the first retry. Each further wait is twice as long, up to `longestWait`. */
  retryAfter: number;
  longestWait: number;
  /** An attempt that takes longer counts as failed, and its signal is aborted. */
  longest: number;
  /** Jobs of this kind that one process does at a time. */
  atOnce: number;
}

/**
 * Every kind of background work. Each has a queue of its name, made by a migration, and a handler in
 * app/server/background/job-handlers.server.ts.
 */
export const JOB_KINDS = {
  /**
   * Sends one email of the outbox, whose row says whether it is still to be sent, and by whom. The mail server's
   * refusals are no failures of the job: the row has its own attempts.
   */
  emails: {
    data: z.object({ emailId: z.uuid() }),
    retries: 5,
    retryAfter: 5,
    longestWait: 60,
    longest: 120,
    atOnce: 3,
  },
  /** Makes the thumbnails of one picture. */
  thumbnails: {
    data: z.object({ fileId: z.uuid() }),
    retries: 3,
    retryAfter: 60,
    longestWait: 600,
    longest: 120,
    atOnce: 2,
  },
  /** Goes on with a run that no process works on. The run's lease says so, not the job. */
  runs: {
    data: z.object({ runId: z.uuid() }),
    retries: 3,
    retryAfter: 5,
    longestWait: 60,
    longest: 60,
    atOnce: 2,
  },
  /** Goes on with a top-up. Its row says whether the provider is asked for money, and no attempt is asked for twice. */
  "top-ups": {
    data: z.object({ topUpId: z.uuid() }),
    retries: 5,
    retryAfter: 10,
    longestWait: 120,
    longest: 60,
    atOnce: 2,
  },
  /** Has the provider forget a card. */
  "kept-cards": {
    data: z.object({ paymentMethodId: z.string().min(1) }),
    retries: 12,
    retryAfter: 10,
    longestWait: 3600,
    longest: 60,
    atOnce: 1,
  },
  /** Tells whoever watches an account that a spend went past a mark. The crossing's row says whether it still counts. */
  crossings: {
    data: z.object({ crossingId: z.uuid() }),
    retries: 5,
    retryAfter: 5,
    longestWait: 60,
    longest: 30,
    atOnce: 1,
  },
} satisfies Record<string, JobKind>;

export type JobName = keyof typeof JOB_KINDS;
export type JobData<Name extends JobName> = z.output<(typeof JOB_KINDS)[Name]["data"]>;

export const JOB_NAMES = Object.keys(JOB_KINDS) as JobName[];

/** A job whose process is not heard of for this many seconds is taken from it. The engine allows no less. */
export const HEARTBEAT_SECONDS = 10;
/** Ended jobs are kept this long, for `npm run jobs`. */
export const KEPT_DAYS = 3;
/** A job that no process took within this time is dropped. */
export const WAITING_DAYS = 14;
