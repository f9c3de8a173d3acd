import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasOwnPackages, listRemixPackages, listRemixScripts } from "./own-packages";

test("packages that belong to Remix or need it are told, others are not", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const remix = { "@remix-run/react": "^2" };
  const installed: Record<string, object> = {
    "remix-utils": { peerDependencies: remix },
    "@own/forms": { dependencies: remix },
    several: {
      peerDependencies: remix,
      peerDependenciesMeta: { "@remix-run/react": { optional: true } },
    },
    parser: { dependencies: { "@remix-run/form-data-parser": "0.1.0" } },
    plain: {},
    "react-router": { dependencies: { "@remix-run/router": "1.23.4" } },
  };
  for (const [name, manifest] of Object.entries(installed)) {
    const place = path.join(folder, "node_modules", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, "package.json"), JSON.stringify(manifest));
  }
  const [first = "", ...others] = Object.keys(installed);
  const moved = {
    dependencies: { [first]: "1.0.0", "@remix-run/headers": "0.9.0", "not-installed": "1.0.0" },
    devDependencies: Object.fromEntries(
      ["@remix-run/css-bundle", ...others].map((name) => [name, "1.0.0"]),
    ),
  };
  const scripts = { profile: "remix vite:build --profile", start: "node build", own: "remixer" };
  expect(listRemixScripts(JSON.stringify({ scripts })).map(({ what }) => what)).toEqual([
    "the script profile calls Remix",
  ]);
  expect(listRemixPackages(folder, JSON.stringify(moved)).map(({ what }) => what)).toEqual([
    "remix-utils needs Remix: take its version for React Router",
    expect.stringMatching(/^@remix-run\/css-bundle belongs to Remix/),
    "@own/forms needs Remix: take its version for React Router",
  ]);
});

test("a package or version of one's own is seen, and a package that was dropped is none", () => {
  const locked = { dependencies: { a: "1.0.0", b: "1.0.0" }, devDependencies: { c: "1.0.0" } };
  const lockfile = JSON.stringify({ packages: { "": locked } });
  const isOwn = (manifest: object) => hasOwnPackages(JSON.stringify(manifest), lockfile);
  expect(isOwn(locked)).toBe(false);
  expect(isOwn({ dependencies: { a: "1.0.0" } })).toBe(false);
  expect(isOwn({ dependencies: { a: "2.0.0" } })).toBe(true);
  expect(isOwn({ ...locked, optionalDependencies: { d: "1.0.0" } })).toBe(true);
});
