import { expect, test } from "vitest";
import { parseChangelog } from "./changelog";

const TEXT = `# Changelog

For people.

## [Unreleased]

### Added

- New.

## [1.1.0] - 2026-12-01

### Fixed

- A fault.

## [1.0.0] - 2026-11-21 [YANKED]

First.

## [1.0.0-rc.1] - 2026-11-21
`;

test("releases come with date and line; what is not released is none", () => {
  const { releases, faults } = parseChangelog(TEXT);
  expect(faults).toEqual([]);
  expect(releases).toEqual([
    { version: "1.1.0", date: "2026-12-01", line: 11 },
    { version: "1.0.0", date: "2026-11-21", line: 17 },
    { version: "1.0.0-rc.1", date: "2026-11-21", line: 21 },
  ]);
});

test.each([
  ["# Changes\n", "line 1: it must be `# Changelog`"],
  ["# Changelog\n## 1.0.0 - 2026-11-21\n", "line 2: write it like `## [1.4.0] - 2026-11-21`"],
  ["# Changelog\n## [1.0] - 2026-11-21\n", "line 2: write it like"],
  ["# Changelog\n## [1.0.0] - 2026-02-30\n", "line 2: write it like"],
  ["# Changelog\n## [1.0.0] - 2026-11-21\n### News\n", "line 3: 'News' is not one of Added"],
  ["# Changelog\n## [1.0.0] - 2026-11-21\n## [Unreleased]\n", "line 3: Unreleased stands above"],
  [
    "# Changelog\n## [1.0.0] - 2026-11-21\n## [1.1.0] - 2026-11-20\n",
    "line 3: 1.1.0 is not older than 1.0.0 above it",
  ],
])("%j is not in the form", (text, fault) => {
  expect(parseChangelog(text).faults).toEqual([expect.stringContaining(fault)]);
});
