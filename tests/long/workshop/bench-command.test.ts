import { expect, inject, test } from "vitest";
import { runScript } from "../../helpers/run-script";

const run = (...args: string[]) => runScript("scripts/workshop/bench/bench.command.ts", args, {});

// No times are checked here: only the full run, on an idle machine, measures speed.
test("benches run at a tiny scale, on databases that are gone afterwards", async () => {
  const server = inject("postgresUrl");
  const { stdout, stderr, code } = await run(
    ...["spends", "history", "grants", "due", "memory", "requests"],
    ...["--scale", "0.0005", "--server", server],
  );
  expect(stderr).toBe("");
  for (const row of [/^spends .* one statement each /m, /^grants .* one SQL statement /m]) {
    expect(stdout).toMatch(row);
  }
  expect(stdout).toMatch(/^due +10 due among 500 .* 10 due among 20 /m);
  expect(stdout).toMatch(/^memory +live heap, granting 50 /m);
  // So few rows say nothing about the ratios, but the exit code must match the table.
  expect(code).toBe(/^\d+ of 8 goals missed$/m.test(stdout) ? 1 : 0);
  if (code === 0) expect(stdout).toMatch(/^all 8 goals met$/m);
}, 120_000);

test("an unknown bench and an invalid scale are refused", async () => {
  const [unknown, scale] = await Promise.all([run("refunds"), run("--scale", "2")]);
  expect(unknown).toMatchObject({
    code: 2,
    stderr: "bench: there is no bench 'refunds' (--help says more)\n",
  });
  expect(scale).toMatchObject({ code: 2, stdout: "" });
});
