import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workerFiles } from "./scripts/lib/worker-files";

/** Milliseconds that a poll may take: machines are shared, and what is waited for mostly comes at once. */
const expectation = { poll: { timeout: 30_000 } };

/** Loading its modules anew for each file would take as long as the tests. So a test leaves nothing behind. */
const sharedModules = {
  pool: "threads" as const,
  isolate: false,
  setupFiles: ["tests/helpers/fail-on-console.ts", "tests/helpers/own-environment.ts"],
};

/** For projects whose tests start databases and servers. */
const withServers = {
  globalSetup: ["tests/helpers/global-setup.ts"],
  setupFiles: ["tests/helpers/fail-on-console.ts"],
  expect: expectation,
  hookTimeout: 120_000,
};

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

/**
 * One for each core. With twice as many, a test takes more than twice as long, the whole no less, and what
 * waits for a page or a server runs out of time.
 */
const WORKERS = availableParallelism();

/** Threads and processes have workers of their own: one after the other, not twice as many at once. */
const AFTER_THREADS = { groupOrder: 1 };

/** Tests of components. Each file has a process of its own: Testing Library keeps the document it saw first. */
const DOM_TESTS = "app/**/*.dom.test.tsx";

/** Run again by the long run, where `helpers/runs` gives them more: random histories, languages, pages, attacks. */
const MORE_IN_LONG = globSync("tests/{e2e,integration}/**/*.test.ts").filter((file) =>
  readFileSync(file, "utf8").includes('/helpers/runs"'),
);

/** Projects by what they need: nothing, a database and servers, a browser on top. */
export default defineConfig({
  test: {
    reporters: ["default"],
    maxWorkers: WORKERS,
    projects: [
      {
        resolve: { alias },
        plugins: [workerFiles()],
        test: {
          name: "unit",
          include: ["app/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "tests/unit/**/*.test.ts"],
          exclude: [DOM_TESTS],
          ...sharedModules,
          expect: expectation,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "dom",
          include: [DOM_TESTS],
          sequence: AFTER_THREADS,
          setupFiles: ["tests/helpers/fail-on-console.ts"],
          expect: expectation,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          ...withServers,
          ...sharedModules,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        plugins: [workerFiles()],
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          sequence: AFTER_THREADS,
          ...withServers,
          testTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "drills",
          include: ["tests/drills/**/*.test.ts"],
          sequence: AFTER_THREADS,
          ...withServers,
          testTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "long",
          include: ["tests/long/**/*.test.ts", ...MORE_IN_LONG],
          sequence: AFTER_THREADS,
          env: { LONG_TESTS: "1" },
          ...withServers,
          testTimeout: 600_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts"],
          ...withServers,
          ...sharedModules,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
