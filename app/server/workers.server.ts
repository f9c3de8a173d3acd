import { log } from "~/utils/logger.server";

interface Work {
  /** Named in the log when a worker fails. */
  task: string;
  /** Workers that may run in this process at a time. */
  atOnce: number;
  /** Does one thing after another until none is due, or `goOn` returns false. */
  work: (goOn: () => boolean) => Promise<unknown>;
}

export interface Workers {
  /** Starts a worker, without waiting for it. If all run, one of them looks once more at its end. */
  wake(): void;
  /** Lets the workers begin nothing further. What they are doing goes on. */
  stop(): void;
  /** Returns the number of workers that run. */
  count(): number;
  /** Resolves once none runs. */
  done(): Promise<void>;
}

/**
 * Creates workers for what stands in the database and need not be awaited by a response. Whatever they
 * leave behind is left to maintenance.
 */
export function createWorkers({ task, atOnce, work }: Work): Workers {
  const running = new Set<Promise<void>>();
  let isWanted = false;
  let isStopping = false;

  function wake(): void {
    if (isStopping) return;
    if (running.size >= atOnce) {
      // A worker may just have found nothing more to do.
      isWanted = true;
      return;
    }
    const worker: Promise<void> = work(() => !isStopping)
      .then(() => {})
      .catch((error: unknown) => log().error({ err: error, task }, "work is left to maintenance"))
      .finally(() => {
        running.delete(worker);
        if (!isWanted) return;
        isWanted = false;
        wake();
      });
    running.add(worker);
  }

  return {
    wake,
    stop() {
      isStopping = true;
    },
    count: () => running.size,
    async done() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
