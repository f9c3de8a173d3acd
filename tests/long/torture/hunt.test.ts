import { expect, test } from "vitest";
import { runTorture } from "../../helpers/torture";

/** A copy of the tree is built twice and played twice, two minutes each at most, beside other tests. */
const MOST_MS = 15 * 60_000;

test("a known fault that is put into a copy of the code is found", {
  timeout: MOST_MS + 10_000,
}, async () => {
  const args = ["--mutations", "--only", "a copy of a delivery"];
  expect(await runTorture(args, MOST_MS)).toMatch(
    /^found \| a copy of a delivery is applied again/,
  );
});
