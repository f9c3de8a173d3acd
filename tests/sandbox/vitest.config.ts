import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Not one of `npm test`'s projects: it calls a real provider, and fails without credentials. */
export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("../../app", import.meta.url)) } },
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["tests/sandbox/**/*.test.ts"],
    testTimeout: 120_000,
  },
});
