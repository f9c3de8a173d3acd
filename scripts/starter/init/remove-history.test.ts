import { expect, test } from "vitest";
import { readFolder, readText } from "../../lib/read-files";
import { unlinkDecisions } from "./remove-history";

test("a link in brackets of its own goes, another keeps its words", () => {
  expect(
    unlinkDecisions(
      "Kept ([ADR 0001](docs/decisions/0001-a.md), [0002](decisions/0002-b.md#x)): [turns](../decisions/0003-c.md).",
    ),
  ).toBe("Kept: turns.");
});

test("in the documents no sentence needs the name of a decision", () => {
  const docs = [
    ...["README.md", "AGENTS.md", "SECURITY.md"].map(readText),
    ...readFolder("docs", /\.md$/),
  ];
  const needing = docs
    .filter(({ file }) => !file.startsWith("docs/decisions/"))
    .flatMap(
      ({ file, text }) =>
        unlinkDecisions(text)
          .match(/.*\b(ADR )?00\d\d\b.*/g)
          ?.map((line) => `${file}: ${line}`) ?? [],
    )
    .filter((line) => /\bADR\b/.test(line));
  expect(needing).toEqual([]);
});
