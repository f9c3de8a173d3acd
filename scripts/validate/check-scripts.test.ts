import { expect, test } from "vitest";
import { checkScripts } from "./check-scripts";
import { parseDoc } from "./markdown";

/** Checks Markdown as README.md, unless another file is given. */
function check(text: string, scripts: string[], file = "README.md") {
  const packageJson = {
    file: "package.json",
    text: JSON.stringify(
      { scripts: Object.fromEntries(scripts.map((name) => [name, "x"])) },
      null,
      2,
    ),
  };
  return checkScripts({ docs: [parseDoc({ file, text })], packageJson });
}

test.each([
  ["a script", "`npm run dev`", "dev"],
  ["one with a colon and arguments", "`npm run db:generate -- name`", "db:generate"],
  ["one with flags of npm", "`npm run --silent preflight -- --json`", "preflight"],
  ["one across a line end", "`npm run\ndev`", "dev"],
  ["npm test", "`npm test`", "test"],
  ["npm start", "```sh\nPORT=1 npm start\n```", "start"],
])("%s is named", (_name, text, script) => {
  expect(check(text, [script])).toEqual([]);
  expect(check(text, []).map((it) => it.text)).toEqual([
    expect.stringMatching(new RegExp(`^npm (run )?${script} is not in package.json: `)),
  ]);
});

test("a command that does not exist is reported on its line, in code blocks too", () => {
  expect(check("`npm run dev`\n\n```sh\nnpm run dev\nnpm run dve\n```", ["dev"])).toEqual([
    {
      file: "README.md",
      line: 5,
      text: "npm run dve is not in package.json: correct the name or add the script",
    },
  ]);
});

test("placeholders and words outside of code are no commands", () => {
  expect(check("`npm run <name>`: npm run does it. `npm run`", [])).toEqual([]);
});

test("a script that no doc tells of is reported where it stands", () => {
  expect(check("`npm run a`", ["a", "b:c"])).toEqual([
    {
      file: "package.json",
      line: 4,
      text: "script b:c is not documented: write `npm run b:c` in README.md or docs/",
    },
  ]);
});

test("test:unit is not documented by test", () => {
  expect(check("`npm test`, `npm run test`", ["test", "test:unit"])).toHaveLength(1);
});

test("the changelog documents nothing, and docs/ does", () => {
  expect(check("`npm run a`", ["a"], "CHANGELOG.md")).toHaveLength(1);
  expect(check("`npm run a`", ["a"], "docs/a.md")).toEqual([]);
});

test("hooks need no doc, and preflight is not one", () => {
  expect(check("`npm run build`", ["postinstall", "prebuild", "build", "postbuild"])).toEqual([]);
  expect(check("", ["preflight"])).toHaveLength(1);
});
