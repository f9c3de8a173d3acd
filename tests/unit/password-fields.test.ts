import ts from "typescript";
import { expect, test } from "vitest";
import { readFolder } from "../../scripts/lib/read-files";
import { descendants, parseSource } from "../../scripts/validate/syntax-tree";

/** Every element of the app: the texts of its attributes as they are written. */
const elements = readFolder("app", /(?<!\.test)\.tsx$/).flatMap((file) =>
  [...descendants(parseSource(file))].flatMap((node) => {
    if (!ts.isJsxOpeningElement(node) && !ts.isJsxSelfClosingElement(node)) return [];
    const attributes = node.attributes.properties
      .filter(ts.isJsxAttribute)
      .map(({ name, initializer }): [string, string] => [
        ts.isIdentifier(name) ? name.text : "",
        initializer ? file.text.slice(initializer.pos, initializer.end).replace(/^=\s*/, "") : "",
      ]);
    return [{ file: file.file, attributes: new Map(attributes) }];
  }),
);

/** Fields that a password is typed into, by any of the attributes that say so. */
const passwords = elements.filter(({ attributes }) =>
  ["type", "field", "autoComplete"].some((name) =>
    /password["')]/i.test(attributes.get(name) ?? ""),
  ),
);

test("every field for a password hides it, and lets a password manager fill it in", () => {
  expect(passwords.length).toBeGreaterThan(5);
  for (const { file, attributes } of passwords) {
    expect([file, attributes.get("type")]).toEqual([file, '"password"']);
    expect(attributes.get("autoComplete"), file).toMatch(/"(?:new|current)-password"/);
  }
});

test("nothing hinders pasting or copying", () => {
  const hindering = ["onPaste", "onCopy", "onCut", "onDrop", "onBeforeInput", "onKeyDown"];
  const names = passwords.flatMap(({ attributes }) => [...attributes.keys()]);
  expect(names.filter((name) => hindering.includes(name))).toEqual([]);
  const scripts = readFolder("public", /\.js$/);
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.filter(({ text }) => /["'](?:paste|copy|cut)["']/.test(text))).toEqual([]);
});
