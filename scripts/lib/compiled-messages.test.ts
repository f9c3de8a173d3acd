import { _createCache, _createIntlFormatters, createTranslator } from "use-intl/core";
import formatCompiled from "use-intl/format-message/format-only";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { messagesFor } from "~/i18n/messages.server";
import { compileMessages } from "./compiled-messages";

type Tree<Leaf> = { [key: string]: Leaf | Tree<Leaf> };
type Compiled = Parameters<typeof formatCompiled>[1];

function leavesOf<Leaf>(tree: Tree<Leaf>, isLeaf: (value: unknown) => boolean): [string, Leaf][] {
  return Object.entries(tree).flatMap(([key, value]): [string, Leaf][] =>
    isLeaf(value)
      ? [[key, value as Leaf]]
      : leavesOf(value as Tree<Leaf>, isLeaf).map(([rest, leaf]) => [`${key}.${rest}`, leaf]),
  );
}

type Values = Record<string, number | typeof marked>;

/** Marks the text between two tags. */
const marked = (chunks: unknown) => `[${chunks}]`;

const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

const isText = (value: unknown) => typeof value === "string";
const isCompiled = (value: unknown) => isText(value) || Array.isArray(value);

test.each(LOCALES)("a compiled text of '%s' reads like the text itself", (locale) => {
  const messages: Tree<string> = messagesFor(locale);
  const interpret = createTranslator({ locale, messages, timeZone: "UTC" });
  const formatters = _createIntlFormatters(_createCache());
  const options = { cache: _createCache(), formatters, locale, timeZone: "UTC" };
  const compiled = new Map(
    leavesOf<Compiled>(compileMessages(messages) as Tree<Compiled>, isCompiled),
  );
  const texts = leavesOf(messages, isText);
  expect(texts.length).toBeGreaterThan(100);
  for (const [key, text] of texts)
    for (const number of [0, 1, 2, 12_345]) {
      const values: Values = {
        ...Object.fromEntries(namesIn(text, /\{(\w+)/g).map((name) => [name, number])),
        ...Object.fromEntries(namesIn(text, /<(\w+)>/g).map((tag) => [tag, marked])),
      };
      const message = compiled.get(key) ?? "";
      expect([key, formatCompiled(key, message, values, options)]).toEqual([
        key,
        interpret.markup(key as never, values as never),
      ]);
    }
});
