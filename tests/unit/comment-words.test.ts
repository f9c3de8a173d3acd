import { expect, test } from "vitest";
import { readFolder } from "../../scripts/lib/read-files";

/** A comment that begins with a clause in place of a noun: the reader learns late what it is about. */
const NOUN_CLAUSE = /(?:\/\*\*|^ *\*|\/\/) (?:What|Whatever|Whoever|Those|Where one) .*/gm;

test("comments begin with the thing or the act that they are about", () => {
  const files = ["app", "scripts", "tests"].flatMap((folder) =>
    readFolder(folder, /\.(?:ts|tsx|mjs)$/),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files
    .filter(({ file }) => !file.startsWith("app/generated/"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(NOUN_CLAUSE)].map(([line]) => `${file}: ${line}`),
    );
  expect(found.sort()).toEqual([]);
});
