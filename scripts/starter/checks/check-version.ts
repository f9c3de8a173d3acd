import { parseChangelog } from "../changelog";
import type { Manifest } from "../manifest";
import { readJsonOf, readTextOf, type Tree } from "../tree";
import { parseVersion } from "../version";
import { type Check, checkOf } from "./check";

/** Returns package.json's version, which is authoritative. Throws if there is none. */
export function installedVersion(tree: Tree): string {
  const { version } = readJsonOf(tree, "package.json");
  if (typeof version !== "string") throw new Error(`package.json of ${tree.name} has no version`);
  return version;
}

/**
 * Checks that every file that names the version agrees with package.json, and that the changelog is
 * well-formed.
 */
export function checkVersion(tree: Tree, manifest: Pick<Manifest, "version">): Check {
  const version = installedVersion(tree);
  const { releases, faults } = parseChangelog(readTextOf(tree, "CHANGELOG.md") ?? "");
  const newest = releases[0]?.version;
  return checkOf(
    "version",
    [
      ...(parseVersion(version) ? [] : [`package.json: '${version}' is not a semantic version`]),
      ...(newest === version
        ? []
        : [
            `CHANGELOG.md: its newest release is ${newest ?? "missing"}, package.json has ${version}`,
          ]),
      ...(manifest.version === version
        ? []
        : [
            `.starter/manifest.json is of ${manifest.version}, package.json has ${version}: finish the upgrade, or npm run starter:release to make a release`,
          ]),
      ...faults.map((fault) => `CHANGELOG.md, ${fault}`),
    ],
    `${version} in package.json, the changelog and the manifest`,
  );
}
