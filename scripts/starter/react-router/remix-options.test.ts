import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listOwnOptions } from "./remix-options";

function optionsOf(files: Record<string, string>): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), "options-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return listOwnOptions(folder).map(({ file, what }) => `${file}: ${what}`);
}

const carry = (file: string, name: string) =>
  `${file}: carry ${name} over to react-router.config.ts`;

const VITE = `import type { Preset } from "@remix-run/dev";
import { vitePlugin as remix } from "@remix-run/dev";
import remixConfig from "./remix.config.js";
`;
const PLAIN = `${VITE}export default { plugins: [tailwind({ mine: 1 }), remix(remixConfig)] };`;

test("the starter's own options go unsaid", () => {
  const future = `{ v3_fetcherPersist: true, v3_lazyRouteDiscovery: false, v3_routeConfig: true }`;
  const config = `/** @type {import("@remix-run/dev").VitePluginConfig} */
export default { future: ${future} };`;
  expect(optionsOf({ "remix.config.js": config, "vite.config.ts": PLAIN })).toEqual([]);
  expect(optionsOf({})).toEqual([]);
});

test("each option of the project's own is told", () => {
  const config = `import { presets } from "./presets";
const config = ({
  basename: "/app",
  "ignoredRouteFiles": ["**/*.css"],
  presets,
  buildEnd() {},
  future: { v3_singleFetch: true, unstable_optimizeDeps: true },
  ...more,
});
export default config;`;
  const names = ["basename", "ignoredRouteFiles", "presets", "buildEnd"];
  expect(optionsOf({ "remix.config.js": config, "vite.config.ts": PLAIN })).toEqual(
    [...names, "future.unstable_optimizeDeps", "...more"].map((name) =>
      carry("remix.config.js", name),
    ),
  );
});

test("options in the call of the plugin are told, and those that are computed", () => {
  const vite = `${VITE}export default { plugins: [remix({ ...remixConfig, appDirectory: "src" })] };`;
  expect(
    optionsOf({ "remix.config.js": "export default make();", "vite.config.ts": vite }),
  ).toEqual([carry("remix.config.js", "its options"), carry("vite.config.ts", "appDirectory")]);
});

test("the project's present options are read", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "options-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ["remix.config.js", "vite.config.ts"])
    copyFileSync(file, path.join(folder, file));
  writeFileSync(path.join(folder, "remix.config.js"), `export default { basename: "/mine" };`);
  expect(listOwnOptions(folder)).toHaveLength(1);
});
