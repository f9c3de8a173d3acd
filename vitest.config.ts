import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Milliseconds that a poll may take: machines are shared, and what is waited for mostly comes at once. */
const expectation = { poll: { timeout: 30_000 } };

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

/** Projects by what they need: nothing, a database and servers, a browser on top. */
export default defineConfig({
  test: {
    reporters: ["default"],
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["app/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "tests/unit/**/*.test.ts"],
          setupFiles: ["tests/helpers/fail-on-console.ts"],
        },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: ["tests/helpers/global-setup.ts"],
          setupFiles: ["tests/helpers/fail-on-console.ts"],
          expect: expectation,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          globalSetup: ["tests/helpers/global-setup.ts"],
          setupFiles: ["tests/helpers/fail-on-console.ts"],
          expect: expectation,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts"],
          globalSetup: ["tests/helpers/global-setup.ts"],
          setupFiles: ["tests/helpers/fail-on-console.ts"],
          expect: expectation,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
