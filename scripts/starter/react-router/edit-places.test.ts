import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { DOCUMENTS } from "./documents";
import { editPlaces } from "./edit-places";
import { EDITED, isRemoved } from "./places";

/** Code, packages, and documents of what was: decisions, versions, measurements. */
const REWRITTEN =
  /\.tsx?$|^package(?:-lock)?\.json$|^docs\/(?:decisions\/|performance\.md$)|^CHANGELOG\.md$/;

function edit(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "places-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  return { ...editPlaces(folder), read };
}

test("a place that no longer names Remix is left in peace, and so is a document", () => {
  const files = {
    ".ci/run": "npm ci\nnpm test\n",
    "README.md": "# Scribo, a shop on Remix 2\n",
    "app/root.tsx": "<Links nonce={nonce} />\n",
    "biome.json": "{}\n",
    "security/accepted-advisories.json": "[]\n",
  };
  const { edited, left, read } = edit(files);
  expect([edited, left]).toEqual([[], []]);
  for (const [file, text] of Object.entries(files)) expect(read(file)).toBe(text);
});

test("a place that still names Remix after its edit is told by line", () => {
  const { left } = edit({
    ".env.example": "PORT=\n# Ours.\nDIRECT_RENDERING=false\n",
    "vite.config.ts": "export default {\n  plugins: [remix({ basename })],\n};\n",
  });
  expect(left).toEqual([
    { file: ".env.example", line: 3, what: "drop DIRECT_RENDERING" },
    { file: "vite.config.ts", line: 2, what: expect.stringContaining("reactRouter()") },
  ]);
});

test("Dependabot's groups name the packages of React Router", () => {
  const { left, read } = edit({
    ".github/dependabot.yml": readFileSync(".github/dependabot.yml", "utf8"),
  });
  expect(left).toEqual([]);
  const text = read(".github/dependabot.yml");
  expect(parse(text).updates[0].ignore.length).toBeGreaterThan(3);
  expect(text).toContain('react-router:\n        patterns: ["@react-router/*", "react-router"]');
  expect(text.match(/exclude-patterns: \["@react-router\/\*", "react-router", /g)).toHaveLength(2);
  expect(text).toContain('dependency-name: "@react-router/*"');
  expect(text).not.toMatch(/remix|react-router-dom/);
});

test("no tracked file names a package of Remix after its edit, but for code and what tells of earlier", () => {
  const edits = new Map([...DOCUMENTS, ...EDITED].map((place) => [place.file, place.edit]));
  const left = execFileSync("git", ["grep", "-l", "@remix-run/"], { encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => !isRemoved(file) && !REWRITTEN.test(file))
    .filter((file) => {
      const text = readFileSync(file, "utf8");
      return (edits.get(file)?.(text) ?? text).includes("@remix-run/");
    });
  expect(left).toEqual([]);
});

test("no document tells of direct rendering's switch or of the move after its edit, but for decisions", () => {
  const told = DOCUMENTS.filter(({ file }) => existsSync(file) && !/decisions\/\d/.test(file));
  for (const { file, edit: change } of told) {
    const moved = change(readFileSync(file, "utf8"));
    expect(moved, file).not.toMatch(
      /starter:react-router`|react-router:lock`|DIRECT_RENDERING=|#to-react-router-7/,
    );
  }
});
