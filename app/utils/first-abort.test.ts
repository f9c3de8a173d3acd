import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { firstAbort } from "~/utils/first-abort";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function abortSoon(): AbortSignal {
  const soon = new AbortController();
  setTimeout(() => soon.abort(), 10);
  return soon.signal;
}

test("a signal that aborts while nobody listens, and is collected, has aborted it", async () => {
  const never = new AbortController().signal;
  const signals = Array.from({ length: 20 }, () => firstAbort(never, abortSoon()));
  await wait(50);
  collectGarbage();
  await wait(0);
  collectGarbage();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test("whichever aborts first counts, also one that had aborted before", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signal = firstAbort(one.signal, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort();
  expect(signal.aborted).toBe(true);
  expect(firstAbort(one.signal, other.signal).aborted).toBe(true);
});
