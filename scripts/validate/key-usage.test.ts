import { expect, test } from "vitest";
import { checkKeyUsage, findKeyUsage } from "./key-usage";
import type { Messages } from "./messages";

const file = "app/a.tsx";
const requiredBy = (text: string) => [...findKeyUsage({ file, text }).required.keys()];
const keys = (...names: string[]): Messages => ({
  locale: "en",
  file: "en.json",
  byKey: new Map(names.map((name, at) => [name, { text: "x", line: at + 1 }])),
});
const check = (text: string, ...names: string[]) => checkKeyUsage([{ file, text }], keys(...names));

const IMPORT = 'import { invalid } from "~/i18n/validation-key";\n';

test.each([
  ["a call of t", 't("a.b", { name })', ["a.b"]],
  ["rich text", 't.rich("a.b", { b })', ["a.b"]],
  ["either side of a choice", 't(x ? "a.b" : `a.c`)', ["a.b", "a.c"]],
  ["a translator of a language", 'translatorFor(requireLocale(params))("a.b")', ["a.b"]],
  ["a translator called at once", 'useTranslations()("a.b")', ["a.b"]],
  ["a schema's message", `${IMPORT}z.string(invalid("required"))`, ["validation.required"]],
  ["a typed literal", 'const faults = ["validation.fileMissing"]', ["validation.fileMissing"]],
  ["inside a component", '<p title={t("a.b")}>{t("a.c")}</p>', ["a.b", "a.c"]],
])("%s uses its key", (_name, text, used) => {
  expect(requiredBy(text)).toEqual(used);
});

test.each([
  ["a function of another name", 'set("a.b")'],
  ["another function named invalid", 'invalid("required")'],
  ["the prefix of validation keys", 'value.startsWith("validation.")'],
  ["a message whose key is known at run time", "t(message)"],
])("%s uses none", (_name, text) => {
  expect(requiredBy(text)).toEqual([]);
});

test("a key that no language has is reported once a file, at its first use", () => {
  expect(check('\nt("a.b");\nt("a.c");\nt("a.c");', "a.b")).toEqual([
    {
      file,
      line: 3,
      text: "uses a.c, which is not in en.json: add it to every language or correct it",
    },
  ]);
});

test("a key that no source names is reported where it stands", () => {
  expect(check('t("a.b"); const later = "a.c";', "a.b", "a.c", "a.d")).toEqual([
    { file: "en.json", line: 3, text: "a.d is not used in app/: remove it from every language" },
  ]);
});

test("a key in a comment, or part of a longer text, is not used", () => {
  expect(check('// t("a.b")\nconst text = "see a.b";', "a.b")).toHaveLength(1);
});

test("a key put together at run time is a problem", () => {
  expect(check(`\nt(\`plans.\${name}.title\`)`)).toEqual([
    {
      file,
      line: 2,
      text: "builds a key at run time: write each full key out, for instance in a table",
    },
  ]);
});
