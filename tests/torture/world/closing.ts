type Step = () => Promise<unknown>;

/** The things opened so far, and how each is closed. */
export interface Closing {
  add(step: Step): void;
  /** Closes all of it, last first, once. What can't be closed doesn't keep the rest open. */
  close(): Promise<void>;
}

export function createClosing(): Closing {
  const steps: Step[] = [];
  let closed: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    for (const step of steps.toReversed())
      await step().catch((error: unknown) => console.error(error));
  }

  return {
    add: (step) => void steps.push(step),
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}

/** Waits for all of them, also where one fails, so that none begins behind its caller's back. */
export async function settleAll<All extends readonly Promise<unknown>[] | []>(all: All) {
  await Promise.allSettled(all);
  return Promise.all(all);
}
