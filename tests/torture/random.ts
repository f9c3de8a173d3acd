/** A source of chance that gives the same draws for the same seed. */
export interface Random {
  /** A whole number, both ends included. */
  int(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Picks by weight. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T;
  /** The same items in another order. */
  shuffled<T>(items: readonly T[]): T[];
}

/** mulberry32: small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));

  function pick<T>(from: readonly T[]): T {
    const found = from[int(0, from.length - 1)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }

  function weighted<T>(from: readonly (readonly [number, T])[]): T {
    let left = next() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new Error("nothing to pick from");
  }

  function shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    const drawn: T[] = [];
    while (rest.length > 0) drawn.push(...rest.splice(int(0, rest.length - 1), 1));
    return drawn;
  }

  return { int, chance: (share) => next() < share, pick, weighted, shuffled };
}

/** A seed for a part of a run, so that one part's draws don't depend on another's. */
export function partOf(seed: number, ...path: readonly number[]): number {
  return path.reduce((mixed, part) => {
    const next = Math.imul(mixed ^ (part + 0x9e3779b9), 0x85ebca6b);
    return (next ^ (next >>> 13)) >>> 0;
  }, seed >>> 0);
}
