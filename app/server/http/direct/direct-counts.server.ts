const counts = { direct: 0, leftToRemix: 0 };

export function countDirect(): void {
  counts.direct += 1;
}

export function countLeft(): void {
  counts.leftToRemix += 1;
}

/** Returns how many pages this process rendered directly, and how many it tried to and left to Remix. */
export function directCounts(): Readonly<typeof counts> {
  return { ...counts };
}
