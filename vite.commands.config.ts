import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { COMMANDS, programName } from "./scripts/commands.mjs";
import { noteSources } from "./scripts/lib/build-state.mjs";
import { compiledMessages } from "./scripts/lib/compiled-messages";
import { compressedFiles } from "./scripts/lib/compressed-files";
import { OUTSIDE_PACKAGES, requiredPackages } from "./scripts/lib/outside-packages";

// The second half of `npm run build`: the programs that run in production, so that no server needs a
// TypeScript loader; and the compressed files, once all that browsers load has been written.

const input = Object.fromEntries(
  Object.entries(COMMANDS).map(([command, source]) => [programName(command), source]),
);

/** Notes what the whole build was made from, once it is complete. */
const sourceHash: Plugin = {
  name: "source-hash",
  writeBundle: () => noteSources(),
};

export default defineConfig({
  plugins: [compiledMessages(), requiredPackages(), compressedFiles("build/client"), sourceHash],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  publicDir: false,
  logLevel: "warn",
  ssr: { noExternal: true, external: OUTSIDE_PACKAGES },
  build: {
    ssr: true,
    outDir: "build/commands",
    target: "node22",
    rollupOptions: {
      input,
      output: { entryFileNames: "[name].js", chunkFileNames: "shared/[name]-[hash].js" },
    },
  },
});
