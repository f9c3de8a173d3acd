import { expect, test } from "vitest";
import { endRunningRuns } from "~/models/metering/running.server";
import { runRefunded } from "~/server/metering/run-refused.server";

test("a refunded run tells its own fault, and while the server stops that it may have failed for that", async () => {
  const codes = () =>
    ([null, "generation_failed", "prompt_rejected"] as const).map(
      (error) => runRefunded(error).code,
    );
  expect(codes()).toEqual(["generation_failed", "generation_failed", "prompt_rejected"]);
  await endRunningRuns({ awaitedMs: 0, graceMs: 0 });
  expect(codes()).toEqual(["server_stopping", "server_stopping", "prompt_rejected"]);
});
