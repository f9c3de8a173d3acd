import type { Transaction } from "~/db.server";
import type { Env } from "~/env.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { runTopUp } from "~/models/billing/top-ups/run-top-up.server";
import { sendEmail } from "~/models/email-delivery/send-emails.server";
import { makeThumbnails } from "~/models/files/thumbnails.server";
import type { JobData, JobName } from "~/models/jobs/job-kinds";
import { handleCrossing } from "~/models/metering/handle-crossing.server";
import { goOnWith } from "~/server/background/run-watch.server";
import { requireKeptCards } from "~/services/payments/get-payment-provider.server";
import { getObjectStore } from "~/services/storage/s3-store.server";

export interface JobContext {
  /** 1 for the first. */
  attempt: number;
  /** Whether a failure of this attempt ends the job. */
  isLastAttempt: boolean;
  /**
   * Aborted when the process is asked to stop, the attempt takes too long, or another process has the job. A job
   * that can go on elsewhere adds the job that does so, and returns.
   */
  signal: AbortSignal;
}

interface Ability {
  /** Whether this process's configuration allows it. Otherwise it takes no such jobs. */
  canRun(env: Env): boolean;
}

/** A job may be done twice, if its process dies or is thought dead: what it does has to bear that. */
interface FreeHandler<Data> extends Ability {
  run(data: Data, context: JobContext): Promise<unknown>;
}

/** For what only writes to the database: the job ends in the transaction of its writes, so both happen once. */
interface TransactionalHandler<Data> extends Ability {
  runInTransaction(data: Data, transaction: Transaction, context: JobContext): Promise<unknown>;
}

export type JobHandler<Data> = FreeHandler<Data> | TransactionalHandler<Data>;
export type JobHandlers = { [Name in JobName]: JobHandler<JobData<Name>> };

export const JOB_HANDLERS: JobHandlers = {
  emails: {
    canRun: ({ email }) => email !== null,
    run: (data) => sendEmail(data),
  },
  thumbnails: {
    canRun: ({ storage }) => storage.enabled,
    async run({ fileId }, { attempt }) {
      const store = getObjectStore();
      const isDone = !store || (await makeThumbnails({ fileId, isRetry: attempt > 1, store }));
      if (!isDone) throw new Error("thumbnails not made");
    },
  },
  runs: {
    canRun: ({ images }) =>
      images.enabled || Object.values(ACTION_PARTS).some(({ growing }) => growing?.isOn()),
    run: ({ runId }) => goOnWith([runId]),
  },
  "top-ups": {
    canRun: ({ payments }) => payments.stripe.secretKey !== null,
    run: (data) => runTopUp(data, requireKeptCards()),
  },
  "kept-cards": {
    canRun: ({ payments }) => payments.stripe.secretKey !== null,
    run: (data) => requireKeptCards().removeCard(data),
  },
  crossings: {
    canRun: () => true,
    runInTransaction: handleCrossing,
  },
};
