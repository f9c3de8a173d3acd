import { fileURLToPath } from "node:url";

/** Path of vitest's command-line script, which the package does not export. */
export const VITEST_SCRIPT = fileURLToPath(
  new URL("../../node_modules/vitest/vitest.mjs", import.meta.url),
);
