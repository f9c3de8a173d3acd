import type { CountedNetwork } from "~/utils/network-address";

/** The bounds of one kind of heavy work in this process. */
export interface LaneLimits {
  /** Pieces of work at a time. */
  slots: number;
  /** Pieces that may wait for a slot. */
  waiting: number;
  /** Pieces of one user, and from one network, that may run or wait. */
  perUser: number;
  perNetwork: number;
  /** Seconds that a piece waits at most. */
  waitSeconds: number;
  /** Seconds after which a piece's signal is aborted. Its slot is free once the work has ended. */
  workSeconds: number;
}

/** Who asks for the work. Work of nobody is only bound by slots and queue. */
export interface Subject {
  userId?: string | undefined;
  networks?: CountedNetwork[];
}

/** Why a piece was refused: its subject has its share already, or there is no room, or not in time. */
export type LaneRefusal = "share" | "full";

interface Waiter {
  begin(): void;
}

/**
 * Wider IPv6 networks get no more than twice the share: whoever holds a /48 has 65,536 networks of the
 * size that a visitor has.
 */
const MOST_SHARES = 2;

/**
 * Creates a lane: a pool of slots with a bounded queue and a share for each user and network. Whoever
 * waits gets a slot in turn with the other subjects, so that one user's requests never stand in another's way.
 * `refuse` makes the error of a refusal. With `ready` each slot is given away once it has resolved, to whoever's
 * turn it is then.
 */
export function createLane(
  limits: LaneLimits,
  refuse: (reason: LaneRefusal) => Error,
  ready?: () => Promise<void>,
) {
  /** Pieces of each user and network that run or wait. */
  const taken = new Map<string, number>();
  /** The queue of each subject, in the order of their turns. */
  const queues = new Map<string, Waiter[]>();
  let running = 0;
  let waiting = 0;
  let isHandingOut = false;

  function sharesOf({ userId, networks = [] }: Subject): [key: string, share: number][] {
    const shares = networks.map<[string, number]>(({ network, scale }) => [
      `network ${network}`,
      limits.perNetwork * Math.min(scale, MOST_SHARES),
    ]);
    return userId ? [[`user ${userId}`, limits.perUser], ...shares] : shares;
  }

  function waitForTurn(turn: string): Promise<void> {
    if (running < limits.slots && !ready) {
      running += 1;
      return Promise.resolve();
    }
    if (running + waiting >= limits.slots + limits.waiting) return Promise.reject(refuse("full"));
    return new Promise((resolve, reject) => {
      const waiter = {
        begin() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leaveQueue(turn, waiter);
        reject(refuse("full"));
      }, limits.waitSeconds * 1000);
      queues.set(turn, [...(queues.get(turn) ?? []), waiter]);
      waiting += 1;
      void handOut();
    });
  }

  function leaveQueue(turn: string, waiter: Waiter): void {
    const rest = (queues.get(turn) ?? []).filter((other) => other !== waiter);
    if (rest.length > 0) queues.set(turn, rest);
    else queues.delete(turn);
    waiting -= 1;
  }

  /** Gives free slots to those who wait. */
  async function handOut(): Promise<void> {
    if (isHandingOut) return;
    isHandingOut = true;
    while (running < limits.slots && queues.size > 0) {
      if (ready) await ready();
      beginNext();
    }
    isHandingOut = false;
  }

  /** Gives a slot to the subject whose turn it is, which then stands at the end. */
  function beginNext(): void {
    const [next] = queues;
    // The waiters may have left meanwhile.
    if (!next) return;
    const [turn, [waiter, ...rest]] = next;
    queues.delete(turn);
    if (rest.length > 0) queues.set(turn, rest);
    waiting -= 1;
    running += 1;
    waiter?.begin();
  }

  return {
    /**
     * Runs `work` once a slot is free. Its signal is aborted after `workSeconds`.
     * @throws what `refuse` makes, before `work` has begun; whatever `work` throws
     */
    async run<T>(subject: Subject, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const shares = sharesOf(subject);
      if (shares.some(([key, share]) => (taken.get(key) ?? 0) >= share)) throw refuse("share");
      for (const [key] of shares) taken.set(key, (taken.get(key) ?? 0) + 1);
      try {
        // The user, or the widest network: a customer's narrow ones would have a turn each.
        await waitForTurn(shares.at(subject.userId ? 0 : -1)?.[0] ?? "");
        try {
          return await work(AbortSignal.timeout(limits.workSeconds * 1000));
        } finally {
          running -= 1;
          void handOut();
        }
      } finally {
        for (const [key] of shares) {
          const left = (taken.get(key) ?? 1) - 1;
          if (left > 0) taken.set(key, left);
          else taken.delete(key);
        }
      }
    },
    /** Returns how many pieces run and wait. */
    load: () => ({ running, waiting }),
  };
}

export type Lane = ReturnType<typeof createLane>;
