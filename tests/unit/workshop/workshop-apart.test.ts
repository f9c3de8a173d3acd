import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { folderTree, readTextOf } from "../../../scripts/starter/tree";

const WORKSHOP = "scripts/workshop/";

const tree = folderTree(".");

/** Returns the files that a file imports by a path, without their endings. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readTextOf(tree, file) ?? "", true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName));
}

test("only the workshop and its tests import from it, so that a product can delete all of it", () => {
  const importers = tree
    .list()
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith(WORKSHOP))
    .filter((file) => importsOf(file).some((imported) => imported.startsWith(WORKSHOP)));
  expect(importers).toContain("tests/integration/workshop/spend-bench.test.ts");
  expect(importers.filter((file) => !/^tests\/\w+\/workshop\//.test(file))).toEqual([]);
});
