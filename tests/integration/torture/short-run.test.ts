import { expect, test } from "vitest";
import { NO_FAULT, runTorture, TORTURE_MS } from "../../helpers/torture";

test("a short run of random histories over two servers, a worker and broken machines finds no fault", {
  timeout: TORTURE_MS,
}, async () => {
  const args = ["--seed", "33", "--cycles", "1", "--size", "small", "--shrink", "0"];
  expect(await runTorture(args)).toMatch(NO_FAULT);
});
