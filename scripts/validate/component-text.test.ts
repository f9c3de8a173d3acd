import { expect, test } from "vitest";
import { findComponentText } from "./component-text";

const file = "app/a.tsx";
const find = (jsx: string) =>
  findComponentText({ file, text: `export const A = () => (\n${jsx}\n);` });

test("a text is reported on its line, shortened", () => {
  const long = "Upload pictures and documents, and fetch them back from here.";
  expect(find(`<div>\n  <p>\n    ${long}\n  </p>\n</div>`)).toEqual([
    {
      file,
      line: 4,
      text: 'text "Upload pictures and documents, and fetc…" is not translated: add a key to app/i18n/locales and use t()',
    },
  ]);
});

test.each([
  ["a word beside a translated one", "<p>{t('a.b')} now</p>", 'text "now"'],
  ["a word of another script", "<p>文件</p>", 'text "文件"'],
  ["a literal in braces", '<p>{"Now"}</p>', 'text "Now"'],
  ["one side of a choice", '<p>{busy ? "Sending" : t("a.b")}</p>', 'text "Sending"'],
  ["a fallback", '<p>{name ?? "Nobody"}</p>', 'text "Nobody"'],
  ["what a condition shows", '<p>{busy && "Sending"}</p>', 'text "Sending"'],
  ["the fixed part of a template", `<p>{\`\${count} files\`}</p>`, 'text "files"'],
  ["a fragment's text", "<>Now</>", 'text "Now"'],
  ["a label for screen readers", '<nav aria-label="Main" />', 'attribute aria-label "Main"'],
  ["an attribute in braces", '<img alt={x || "Logo"} />', 'attribute alt "Logo"'],
  ["a title", '<Page title="Files" />', 'attribute title "Files"'],
  ["a placeholder", '<input placeholder="Name" />', 'attribute placeholder "Name"'],
  ["a component's label", '<Field label="Name" />', 'attribute label "Name"'],
  ["a prop that ends like one", '<Form submitLabel="Save" />', 'attribute submitLabel "Save"'],
])("%s is a problem", (_name, jsx, what) => {
  expect(find(jsx).map(({ text }) => text)).toEqual([
    `${what} is not translated: add a key to app/i18n/locales and use t()`,
  ]);
});

test.each([
  ["translated texts", '<p title={t("a.b")}>{t("a.c", { name: "x" })}</p>'],
  ["numbers and signs", "<p>10 · {count} / 5 – {' '}→&nbsp;&#160;</p>"],
  ["values", "<p title={user.email}>{user.name}</p>"],
  ["attributes nobody reads", '<input className="grid" name="file" type="file" id="a" />'],
  ["what a condition compares", '<p>{status === "done" && t("a.b")}</p>'],
  ["an empty alternative text", '<img alt="" src="/a.svg" />'],
  ["comments", "<p>{/* a word */}</p>"],
])("%s are none", (_name, jsx) => {
  expect(find(jsx)).toEqual([]);
});
