/** Accounts that act, or are judged, at the same time. */
const AT_ONCE = 16;

/** At most sixteen at once. Rejects with the first failure, once those that had begun have ended. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  act: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next && failures.length === 0; next = queue.shift()) {
      const [at, item] = next;
      try {
        results[at] = await act(item, at);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
