import { expect, test } from "vitest";
import { currentPart, parseDoc } from "./markdown";

const parse = (text: string) => parseDoc({ file: "README.md", text });

test.each([
  ["Getting started", "getting-started"],
  ["What's new, in 2.0?", "whats-new-in-20"],
  ["`npm run dev` & more", "npm-run-dev--more"],
  ["*Emphasis* and [a link](x.md)", "emphasis-and-a-link"],
  ["snake_case / Año 中文", "snake_case--año-中文"],
])("the heading %s has GitHub's anchor", (heading, anchor) => {
  expect([...parse(`## ${heading}`).anchors]).toEqual([anchor]);
});

test("headings that stand there again are numbered, and HTML ids are anchors", () => {
  const { anchors } = parse('# A\n\n## A\n\n## A-1\n\n## A\n\n<a id="here"></a>');
  expect([...anchors]).toEqual(["a", "a-1", "a-1-1", "a-2", "here"]);
});

test("links, images, definitions and HTML are links; code is not", () => {
  const { links } = parse(
    '[a](a.md)\n![b](b.png)\n\n[c]: c.md\n\n<p>\n<img src="d.png"></p>\n\n`[e](e.md)`\n\n```\n[f](f.md)\n```',
  );
  expect(links).toEqual([
    { url: "a.md", line: 1 },
    { url: "b.png", line: 2 },
    { url: "c.md", line: 4 },
    { url: "d.png", line: 7 },
  ]);
});

test("links in a table are links", () => {
  expect(parse("| a |\n|---|\n| [a](a.md) |").links).toEqual([{ url: "a.md", line: 3 }]);
});

test("code is known by its language and first line", () => {
  expect(parse("A `b`\n\n```sh\nc\nd\n```\n\n```\ne\n```").codes).toEqual([
    { text: "b", language: null, line: 1 },
    { text: "c\nd", language: "sh", line: 4 },
    { text: "e", language: "", line: 9 },
  ]);
});

test("a changelog speaks of the present down to its newest release, without what that removed", () => {
  const text = [
    "# Changelog",
    "## [Unreleased]",
    "new",
    "## [1.1.0] - 2025-01-01",
    "### Removed",
    "gone",
    "### Added",
    "here",
    "## [1.0.0] - 2024-01-01",
    "old",
  ];
  const lines = currentPart({ file: "CHANGELOG.md", text: text.join("\n") }).text.split("\n");
  expect(lines).toHaveLength(text.length);
  expect(lines.filter((line) => /^[a-z]/.test(line))).toEqual(["new", "here"]);
});

test("a superseded decision speaks of the past, any other file of the present", () => {
  const decision = { file: "docs/decisions/0001-a.md", text: "# A\n\nStatus: superseded by 0002" };
  expect(currentPart(decision).text).toBe("");
  const accepted = { ...decision, text: "# A\n\nStatus: accepted" };
  expect(currentPart(accepted)).toEqual(accepted);
});
