import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventStream } from "~/server/request/event-stream.server";

test("a stream that is let go of before its work ends harms nothing", async () => {
  const sent: string[] = [];
  const { body } = eventStream(new AbortController().signal, async (send) => {
    for (const event of ["first", "second"]) {
      send(event, {});
      sent.push(event);
      await sleep(50);
    }
  });
  const reader = body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe("event: first\ndata: {}\n\n");
  await reader?.cancel();
  // An error at the work's end would be caught by nobody and end the process: Vitest fails by it.
  await expect.poll(() => sent).toEqual(["first", "second"]);
  await sleep(100);
});
