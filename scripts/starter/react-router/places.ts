import { dropLines } from "../init/text-edits";
import type { CodePlace } from "./place";

/** The parts that go: direct rendering (ADR 0036), and the move itself. */
export const REMOVED = [
  "app/server/http/direct",
  "tests/integration/http/direct.test.ts",
  "remix.config.js",
  "scripts/starter/react-router",
  "scripts/starter/react-router.command.ts",
  "scripts/workshop/react-router",
  "tests/drills/workshop/own-routes.test.ts",
  "tests/drills/workshop/own-routes.ts",
  "tests/drills/workshop/react-router.test.ts",
  "tests/drills/workshop/run-npm.ts",
  "tests/unit/workshop/react-router-lock.test.ts",
];

/** Returns whether a file, named from the project's folder, goes with the move. */
export const isRemoved = (file: string) =>
  REMOVED.some((gone) => file === gone || file.startsWith(`${gone}/`));

/** New files, whole. */
export const ADDED: Record<string, string> = {
  "react-router.config.ts": `import type { Config } from "@react-router/dev/config";

export default {
  // With "lazy", one request for the manifest that lists many paths stalls the process for seconds.
  routeDiscovery: { mode: "initial" },
  // Version 8 changes these. Unset, each of them is a warning at every build.
  future: {
    v8_middleware: false,
    v8_passThroughRequests: false,
    v8_splitRouteModules: false,
    v8_trailingSlashAwareDataRequests: false,
    v8_viteEnvironmentApi: false,
  },
} satisfies Config;
`,
};

/** Places that know Remix by more than the name of a module, after the code was rewritten. */
export const EDITED: CodePlace[] = [
  {
    file: ".ci/run",
    what: "drop the lines that try the move to React Router",
    unmoved: /react-router:check/,
    edit: (text) => dropLines(text, /[Rr]eact.[Rr]outer|\$moved/),
  },
  {
    file: ".github/dependabot.yml",
    what: "name the packages of React Router in the groups",
    unmoved: /@remix-run\//,
    edit: (text) =>
      text
        .replace(/^ +- dependency-name: react-router-dom\n +update-types: .*\n/m, "")
        .replace(/^( +- dependency-name: )"@remix-run\/\*"/m, '$1"@react-router/*"')
        .replaceAll('"@remix-run/*"', '"@react-router/*", "react-router"')
        .replace(/^( +)remix:$/m, "$1react-router:"),
  },
  {
    file: ".env.example",
    what: "drop DIRECT_RENDERING",
    unmoved: /DIRECT_RENDERING/,
    edit: (text) => text.replace(/#[^\n]*\n# DIRECT_RENDERING=true\n\n/, ""),
  },
  {
    file: "app/env/environment.ts",
    what: "drop directRendering",
    unmoved: /directRendering/,
    edit: (text) => dropLines(text, /directRendering|without Remix's request handler/),
  },
  {
    file: "app/env/service.ts",
    what: "drop DIRECT_RENDERING",
    unmoved: /DIRECT_RENDERING/,
    edit: (text) => text.replace(/ *DIRECT_RENDERING: [\s\S]*?\}\),\n/, ""),
  },
  {
    file: "app/load-context.d.ts",
    what: "drop the interface Future",
    unmoved: /interface Future\b/,
    edit: (text) => text.replace(/ *interface Future \{[\s\S]*?\}\n/, ""),
  },
  {
    file: "biome.json",
    what: "name react-router where imports of @remix-run/react are restricted",
    unmoved: /@remix-run\/react/,
    edit: (text) => text.replace('"@remix-run/react"', '"react-router"'),
  },
  {
    // React Router puts the page's nonce on each link unless it is given one. Pages of the page cache have none.
    file: "app/root.tsx",
    what: 'write <Links nonce="" />',
    unmoved: /<Links \/>/,
    edit: (text) => text.replace("<Links />", '<Links nonce="" />'),
  },
  {
    file: "app/server/http/http.server.ts",
    what: "give every request to createRequestHandler: app/server/http/direct is gone",
    unmoved: /direct\.server|directRendering|handlerOf/,
    edit: (text) =>
      dropLines(text, /direct\.server|const handlerOf =/)
        .replace("function routeRequests({ directRendering }: Env)", "function routeRequests()")
        .replace("routeRequests(env)", "routeRequests()")
        .replace("handlerOf(own, path)", "remix(own)")
        .replace(/ Pages of such paths are\n \* rendered directly[^\n]*\n/, "\n")
        .replace("type Env, getEnv", "getEnv"),
  },
  {
    file: "app/server/http/start-server.server.ts",
    what: "drop directCounts",
    unmoved: /directCounts/,
    edit: (text) => dropLines(text, /directCounts/),
  },
  {
    file: "scripts/lib/build-state.mjs",
    what: "name react-router.config.ts in place of remix.config.js",
    unmoved: /remix\.config/,
    edit: (text) => text.replace('"remix.config.js"', '"react-router.config.ts"'),
  },
  {
    file: "scripts/workshop/bench/bare-app.ts",
    what: "build the bare app by `react-router build`",
    unmoved: /vite:build|dist\/cli/,
    edit: (text) =>
      text
        .replace('"@react-router/dev/vite"), "vite:build"', '"@react-router/dev"), "build"')
        .replace('"dist/cli.js"', '"bin.js"')
        .replace("bare Remix app", "bare app")
        .replace("under `@remix-run/serve`", "under `@react-router/serve`"),
  },
  {
    file: "scripts/workshop/bench/bare-app/package.json",
    what: "name the packages of React Router",
    unmoved: /@remix-run\//,
    edit: (text) =>
      text
        .replace("@remix-run/node", "@react-router/node")
        .replace("@remix-run/react", "react-router"),
  },
  {
    file: "scripts/workshop/bench/bare-app/vite.config.ts",
    what: "use the plugin reactRouter()",
    unmoved: /\bremix\(/,
    edit: (text) =>
      text.replace(/plugins: \[.*\]/, "plugins: [reactRouter()]").replace(" as remix", ""),
  },
  {
    file: "scripts/workshop/bench/our-server.ts",
    what: "drop DIRECT_RENDERING",
    unmoved: /DIRECT_RENDERING/,
    edit: (text) => dropLines(text, /DIRECT_RENDERING/),
  },
  {
    file: "scripts/workshop/bench/pages.bench.ts",
    what: "say what the bare app runs under",
    unmoved: /@remix-run\//,
    edit: (text) => text.replace("@remix-run/serve", "@react-router/serve"),
  },
  {
    file: "security/accepted-advisories.json",
    what: "drop the advisories that end with the move",
    unmoved: /Ends with the move/,
    edit: (text) => {
      const accepted = JSON.parse(text) as { reason: string }[];
      const left = accepted.filter(({ reason }) => !reason.includes("Ends with the move"));
      return `${JSON.stringify(left, null, 2)}\n`;
    },
  },
  {
    file: "tests/drills/docker-steps.test.ts",
    what: "name the package of React Router that isn't in the image",
    unmoved: /@remix-run\//,
    edit: (text) => text.replace("@remix-run/dev", "@react-router/dev"),
  },
  {
    file: "tests/helpers/test-server.ts",
    what: "drop DIRECT_RENDERING",
    unmoved: /DIRECT_RENDERING/,
    edit: (text) => dropLines(text, /DIRECT_RENDERING|every request handled by Remix/),
  },
  {
    file: "vite.config.ts",
    what: "use the plugin reactRouter(), without remix.config.js",
    unmoved: /\bremix\(|remix\.config/,
    edit: (text) =>
      dropLines(text, /remix\.config\.js/)
        .replace("reactRouter as remix", "reactRouter")
        .replace("remix(remixConfig)", "reactRouter()")
        .replace(
          /(include: \[[^\]]*"react-router")(?!, "react-router\/dom")/,
          '$1, "react-router/dom"',
        ),
  },
];
