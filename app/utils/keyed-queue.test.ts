import { expect, test } from "vitest";
import { createKeyedQueue } from "~/utils/keyed-queue";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

test("work under one key runs one after another, in the order in which it was queued", async () => {
  const queue = createKeyedQueue();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await tick();
    seen.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(["a", "b", "c"].map((name) => queue("key", work(name))));
  expect(results).toEqual(["a", "b", "c"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("work under another key does not wait", async () => {
  const queue = createKeyedQueue();
  let release = () => {};
  const held = queue("slow", () => new Promise<void>((resolve) => (release = resolve)));
  expect(await queue("fast", async () => "done")).toBe("done");
  release();
  await held;
});

test("work that fails holds up nothing behind it", async () => {
  const queue = createKeyedQueue();
  const failing = queue("key", async () => {
    throw new Error("failed");
  });
  const next = queue("key", async () => "done");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
});
