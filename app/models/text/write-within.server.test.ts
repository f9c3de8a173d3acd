import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Database } from "~/db.server";
import { writeWithin } from "~/models/text/write-within.server";
import type { WriteText } from "~/services/text/text-writer";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Yields some pieces, and then waits until it is ended, if it is to. */
const writerThat = (stalls: boolean): WriteText =>
  async function* ({ signal }) {
    for (let piece = 0; piece < 50; piece += 1) yield { text: "word ", isThought: false };
    if (!stalls) return { status: "stop", usage: null };
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return { status: "aborted", usage: null };
  };

const write = (stalls: boolean) =>
  writeWithin(
    {
      runId: "",
      // With a limit nothing is extended, and the database isn't asked.
      request: { prompt: "a text", maxTokens: 1_000 },
      units: 2_000,
      seconds: 2,
      signal: new AbortController().signal,
      onText: () => undefined,
      ask: writerThat(stalls),
    },
    null as never as Database,
  );

test("a call that stalls is ended in time, however often garbage is collected", async () => {
  // Code that runs often is compiled, and keeps nothing that it doesn't read any more.
  for (let text = 0; text < 3_000; text += 1) await write(false);
  const stalled = write(true);
  for (let round = 0; round < 8; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
  }
  expect(await stalled).toMatchObject({ finishReason: "interrupted" });
}, 10_000);
