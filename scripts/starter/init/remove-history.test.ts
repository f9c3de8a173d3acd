import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFolder, readText } from "../../lib/read-files";
import { parseChangelog } from "../changelog";
import { emptyChangelog, unlinkDecisions } from "./remove-history";

test.each(["## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n", "## [1.1.0] - 2026-12-01\n"])(
  "the changelog %j keeps its head, and nothing that was released before",
  (parts) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "changelog-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "CHANGELOG.md");
    writeFileSync(file, `# Changelog\n\nFor those who run this starter.\n\n${parts}`);
    emptyChangelog(folder, "Scribo", "a starter 1.1.0");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("For those who run Scribo.");
    expect(text).toContain("- Begun from a starter 1.1.0.");
    expect(parseChangelog(text)).toEqual({ releases: [], faults: [] });
  },
);

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
