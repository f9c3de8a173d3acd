import { isDeepStrictEqual } from "node:util";
import { readJsonOf, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

const IN_STEP = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "engines",
];

/** Checks that the lockfile exists and belongs to this package.json: otherwise `npm ci` fails. */
export function checkLockfile(tree: Tree): Check {
  const MEND = "npm install writes it; commit it with package.json";
  if (tree.read("package-lock.json") === null) {
    return checkOf("lockfile", [`package-lock.json is missing: ${MEND}`], "");
  }
  const wanted = readJsonOf(tree, "package.json");
  const lock = readJsonOf(tree, "package-lock.json");
  const packages = (lock.packages ?? {}) as Record<string, Record<string, unknown>>;
  const root = packages[""] ?? {};
  const names = IN_STEP.flatMap((field) => Object.keys((wanted[field] as object) ?? {}));
  const missing = names.filter((name) => name !== "node" && !packages[`node_modules/${name}`]);
  return checkOf(
    "lockfile",
    [
      ...(lock.version === wanted.version && root.version === wanted.version
        ? []
        : [`package-lock.json is of ${lock.version}, package.json of ${wanted.version}: ${MEND}`]),
      ...IN_STEP.filter((field) => !isDeepStrictEqual(wanted[field], root[field])).map(
        (field) => `package-lock.json has other ${field} than package.json: ${MEND}`,
      ),
      ...missing.map((name) => `package-lock.json lacks ${name}: ${MEND}`),
    ],
    `in step with package.json, ${Object.keys(packages).length - 1} packages`,
  );
}
