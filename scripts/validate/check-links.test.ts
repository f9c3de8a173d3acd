import { expect, test } from "vitest";
import { checkLinks } from "./check-links";
import { parseDoc } from "./markdown";

const FILES = [
  "README.md",
  "docs",
  "docs/a.md",
  "docs/b c.md",
  "docs/decisions/0001.md",
  "app/root.tsx",
];

/** Returns the problems of one link in docs/a.md, which has the heading "Own part". */
function check(url: string) {
  const docs = [
    parseDoc({ file: "docs/a.md", text: `# Own part\n\n[link](<${url}>)` }),
    parseDoc({ file: "README.md", text: "# Start\n\n## Año nuevo" }),
  ];
  return checkLinks({ docs, exists: (file) => FILES.includes(file) });
}

test.each([
  "../README.md",
  "../README.md#start",
  "../README.md#a%C3%B1o-nuevo",
  "/README.md",
  "#own-part",
  "./decisions/0001.md#anything",
  "b%20c.md",
  "../docs",
  "../app/root.tsx#L10",
  "../README.md?plain=1",
  "https://example.com/missing.md",
  "//example.com/missing.md",
  "mailto:name@example.com",
])("%s leads somewhere", (url) => {
  expect(check(url)).toEqual([]);
});

test.each([
  ["README.md", "there is no docs/README.md: correct the path or add the file"],
  ["/a.md", "there is no a.md: correct the path or add the file"],
  ["50%.md", "there is no docs/50%.md: correct the path or add the file"],
  ["../../other/README.md", "it points outside the project: link to a file inside"],
  ["#start", "docs/a.md has no heading of that name: correct the part after #"],
  ["../README.md#stop", "README.md has no heading of that name: correct the part after #"],
])("%s leads nowhere", (url, fault) => {
  expect(check(url)).toEqual([{ file: "docs/a.md", line: 3, text: `link to ${url}: ${fault}` }]);
});
