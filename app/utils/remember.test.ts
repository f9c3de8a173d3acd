import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rememberFor } from "~/utils/remember";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts its runs; each run ends when the test says so. */
function countedLoad() {
  const runs: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const load = () =>
    new Promise<number>((resolve, reject) => {
      runs.push({ resolve, reject });
    });
  return { runs, load };
}

test("callers that arrive during a run share it, however long it takes", async () => {
  const { runs, load } = countedLoad();
  const get = rememberFor(1_000, load);
  const first = get();
  vi.advanceTimersByTime(60_000);
  const second = get();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve(7);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
});

test("a value is kept for its time, counted from the end of the run, then loaded again", async () => {
  const { runs, load } = countedLoad();
  const get = rememberFor(1_000, load);
  const first = get();
  vi.advanceTimersByTime(5_000);
  runs[0]?.resolve(1);
  await first;
  vi.advanceTimersByTime(999);
  expect(await get()).toBe(1);
  vi.advanceTimersByTime(1);
  const second = get();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve(2);
  expect(await second).toBe(2);
});

test("a failure reaches all waiting callers, and the next caller tries again", async () => {
  const { runs, load } = countedLoad();
  const get = rememberFor(1_000, load);
  const waiting = [get(), get()];
  runs[0]?.reject(new Error("down"));
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
  const again = get();
  runs[1]?.resolve(3);
  expect(await again).toBe(3);
});
