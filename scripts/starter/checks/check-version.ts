import { parseChangelog } from "../changelog";
import { readJsonOf, readTextOf, type Tree } from "../tree";
import { parseVersion } from "../version";
import { type Check, checkOf } from "./check";

/**
 * Checks that package.json has a version, and that the changelog, where there is one, is well-formed and
 * its newest release is this version.
 */
export function checkVersion(tree: Tree): Check {
  const { version } = readJsonOf(tree, "package.json");
  if (typeof version !== "string" || !parseVersion(version))
    return checkOf("version", [`package.json: '${version}' is not a semantic version`], "");
  const text = readTextOf(tree, "CHANGELOG.md");
  if (text === null) return checkOf("version", [], `${version} in package.json, and no changelog`);
  const { releases, faults } = parseChangelog(text);
  const [newest] = releases;
  const isOther = newest !== undefined && newest.version !== version;
  return checkOf(
    "version",
    [
      ...(isOther
        ? [`CHANGELOG.md: its newest release is ${newest.version}, package.json has ${version}`]
        : []),
      ...faults.map((fault) => `CHANGELOG.md, ${fault}`),
    ],
    newest
      ? `${version} in package.json and the changelog`
      : `${version} in package.json, and nothing released`,
  );
}
