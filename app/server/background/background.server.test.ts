import { expect, test } from "vitest";
import { setLogLevel } from "~/utils/logger.server";
import { backgroundDone, countBackgroundTasks, runInBackground } from "./background.server";

setLogLevel("silent");

test("three tasks run at once, 500 wait, and any further task is dropped", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let running = 0;
  let most = 0;
  let ran = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await gate;
    running -= 1;
    ran += 1;
  };
  for (let task = 0; task < 3; task++) runInBackground("test", work);
  await expect.poll(() => running).toBe(3);
  for (let task = 0; task < 520; task++) runInBackground("test", work);
  expect(countBackgroundTasks()).toBe(503);
  release();
  await backgroundDone();
  expect({ most, ran, left: countBackgroundTasks() }).toEqual({ most: 3, ran: 503, left: 0 });
});

test("a failed task doesn't stop the next ones", async () => {
  let ran = 0;
  for (let task = 0; task < 10; task++) {
    runInBackground("test", async () => {
      if (task < 5) throw new Error("no");
      ran += 1;
    });
  }
  await backgroundDone();
  expect(ran).toBe(5);
});
