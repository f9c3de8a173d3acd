import { expect, test } from "vitest";
import { checkMessages, compareLocales } from "./compare-locales";
import type { Messages } from "./messages";

/** Messages of a language, one per line. */
function messages(locale: string, texts: Record<string, string>): Messages {
  const byKey = new Map(
    Object.entries(texts).map(([key, text], at) => [key, { text, line: at + 1 }]),
  );
  return { locale, file: `${locale}.json`, byKey };
}

const compare = (en: Record<string, string>, es: Record<string, string>) =>
  compareLocales(messages("en", en), messages("es", es));
/** Returns the problems of one message `a`. */
const compareText = (en: string, es: string) => compare({ a: en }, { a: es }).map((it) => it.text);

test("a translation of everything with the same arguments has no problem", () => {
  const en = { a: "Hello {name}", b: "{n, plural, one {# file} other {# files}}", c: "10 – {x}" };
  const es = {
    a: "{name}, hola",
    b: "{n, plural, one {# archivo} other {{n} archivos}}",
    c: "10 – {x}",
  };
  expect(compare(en, es)).toEqual([]);
  expect(checkMessages(messages("en", en))).toEqual([]);
});

test("a missing key is reported below the key that it follows", () => {
  expect(compare({ a: "One", b: "Two", c: "Three" }, { a: "Uno", c: "Tres" })).toEqual([
    { file: "es.json", line: 1, text: 'b is missing: translate "Two" from en.json' },
  ]);
});

test("an extra key is reported where it stands", () => {
  expect(compare({ a: "One" }, { a: "Uno", b: "Dos" })).toEqual([
    { file: "es.json", line: 2, text: "b is not in en.json: remove it" },
  ]);
});

test.each([
  ["a lost argument", "Hi {name}", "Hola", "a lacks {name} (text): use it as in en"],
  [
    "a misspelt argument",
    "Hi",
    "Hola {nombre}",
    "a has {nombre}, which en does not have: remove it or correct its name",
  ],
  [
    "an argument of another kind",
    "{n, plural, one {#} other {#}}x",
    "{n} equis",
    "a has {n} as text, and en as plural: make it plural",
  ],
  [
    "an ordinal for a cardinal",
    "{n, plural, other {#}} x",
    "{n, selectordinal, other {#}} equis",
    "a has {n} as selectordinal, and en as plural: make it plural",
  ],
  [
    "another set of choices",
    "{s, select, on {On} other {Off}}",
    "{s, select, si {Sí} other {No}}",
    "a has {s} as select of other, si, and en as select of on, other: make it select of on, other",
  ],
  [
    "an argument inside a plural",
    "{n, plural, other {# {x}}}",
    "{n, plural, other {#}}",
    "a lacks {x} (text): use it as in en",
  ],
  ["a lost tag", "<b>Hi</b>", "Hola", "a lacks {b} (tag): use it as in en"],
  ["a text left as it was", "Sign in {x}", "Sign in {x}", "a is the text of en.json: translate it"],
])("%s is a problem", (_name, en, es, problem) => {
  expect(compareText(en, es)).toEqual([problem]);
});

test.each(["{x} / 5", "Status", "{n} PDFs"])(
  "%s, of one word at most, may be the same in every language",
  (text) => expect(compareText(text, text)).toEqual([]),
);

test.each([
  ["an empty text", "  ", "a is empty: write its text"],
  [
    "an open brace",
    "Hola {name",
    "a is not an ICU message (EXPECT_ARGUMENT_CLOSING_BRACE): correct its braces and forms",
  ],
  [
    "a plural without other",
    "{n, plural, one {#}}",
    "a is not an ICU message (MISSING_OTHER_CLAUSE): correct its braces and forms",
  ],
  [
    "a plural form the language has not",
    "{n, plural, one {#} two {#} other {#}}",
    "a has the plural form two, unknown to es: remove it",
  ],
])("%s is a problem of its language", (_name, text, problem) => {
  expect(checkMessages(messages("es", { a: text }))).toEqual([
    { file: "es.json", line: 1, text: problem },
  ]);
});

test("exact numbers are plural forms of every language", () => {
  expect(checkMessages(messages("zh", { a: "{n, plural, =0 {无} other {#}}" }))).toEqual([]);
});
