import { parseChangelog } from "../changelog";
import { readJsonOf, readTextOf, type Tree } from "../tree";
import { parseVersion } from "../version";
import { type Check, checkOf } from "./check";

/**
 * Checks that package.json has a version, and that the changelog, where there is one, is well-formed and
 * agrees with it.
 */
export function checkVersion(tree: Tree): Check {
  const { version } = readJsonOf(tree, "package.json");
  if (typeof version !== "string" || !parseVersion(version))
    return checkOf("version", [`package.json: '${version}' is not a semantic version`], "");
  const text = readTextOf(tree, "CHANGELOG.md");
  if (text === null) return checkOf("version", [], `${version} in package.json, and no changelog`);
  const { releases, faults } = parseChangelog(text);
  const newest = releases[0]?.version;
  return checkOf(
    "version",
    [
      ...(newest === version
        ? []
        : [
            `CHANGELOG.md: its newest release is ${newest ?? "missing"}, package.json has ${version}`,
          ]),
      ...faults.map((fault) => `CHANGELOG.md, ${fault}`),
    ],
    `${version} in package.json and the changelog`,
  );
}
