import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import remixConfig from "./remix.config.js";
import { browserChunk, INTERACTIVE_ROUTES } from "./scripts/lib/browser-chunk";
import { compiledMessages } from "./scripts/lib/compiled-messages";
import { minifiedScripts } from "./scripts/lib/minified-scripts";
import { OUTSIDE_PACKAGES, requiredPackages } from "./scripts/lib/outside-packages";
import { smallManifest } from "./scripts/lib/small-manifest";
import { workerFiles } from "./scripts/lib/worker-files";

// The server bundle starts at our HTTP layer, which imports Remix's own build as a virtual module:
// one module graph in development and production, so one pool, one configuration, one logger.
const httpEntry: Plugin = {
  name: "http-entry",
  enforce: "post",
  config: (_config, { isSsrBuild }) =>
    isSsrBuild
      ? { build: { rollupOptions: { input: "./app/server/http/http.server.ts" } } }
      : { build: { rollupOptions: { output: { manualChunks: browserChunk } } } },
};

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    compiledMessages(),
    workerFiles(),
    requiredPackages(),
    remix(remixConfig),
    minifiedScripts(),
    smallManifest(INTERACTIVE_ROUTES),
    httpEntry,
  ],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  server: {
    watch: { ignored: ["**/.data/**", "**/build/**", "**/tests/**"] },
    // Vite's own list, which ours replaces, and the secrets and data of `npm run dev`.
    fs: { deny: [".env", ".env.*", "*.{crt,pem}", "**/.git/**", "**/.data/**"] },
  },
  // What browsers need is named, all of it, and nothing is looked for: to find a page's styles Remix
  // has its server modules transformed as if for a browser, and every package these import would be
  // prepared too, seconds after the first page, which is then reloaded under the visitor's hands.
  // A CommonJS package that a browser needs must be added here; without it tests/faults/dev-browser.test.ts fails.
  optimizeDeps: {
    noDiscovery: true,
    include: ["@remix-run/react", "react", "react-dom/client", "react/jsx-dev-runtime", "use-intl"],
  },
  // In development Node loads packages itself: it can load all of them, and nothing waits for a bundle.
  ssr: command === "build" ? { noExternal: true, external: OUTSIDE_PACKAGES } : {},
  build: {
    target: "es2022",
    reportCompressedSize: false,
    // Packages require these only if they are told to, or find them. As an import `undici` would always load, and
    // `supports-color` comes with development's packages alone, so a build would differ by what is installed.
    commonjsOptions: { ignore: ["undici", "supports-color"] },
  },
}));
