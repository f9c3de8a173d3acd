/** Runs `work` after everything queued before it under the same key. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates a queue per key. Work under different keys runs at the same time; an idle key takes no memory. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  return (key, work) => {
    const before = tails.get(key);
    const result = before ? before.then(work) : work();
    const tail = result.then(ignore, ignore).then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    tails.set(key, tail);
    return result;
  };
}

function ignore(): void {}
