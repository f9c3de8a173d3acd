import { findForeignPlurals, type MessageArguments, readArguments } from "./message-arguments";
import type { Messages } from "./messages";
import type { Problem } from "./problem";

/** Finds faults within one language: empty texts and invalid ICU messages. */
export function checkMessages({ locale, file, byKey }: Messages): Problem[] {
  return [...byKey].flatMap(([key, { text, line }]) => {
    const report = (what: string) => [{ file, line, text: `${key} ${what}` }];
    if (text.trim() === "") return report("is empty: write its text");
    const fault = tryArguments(text).fault;
    if (fault) return report(`is not an ICU message (${fault}): correct its braces and forms`);
    const foreign = findForeignPlurals(text, locale);
    if (foreign.length === 0) return [];
    return report(`has the plural form ${foreign.join(", ")}, unknown to ${locale}: remove it`);
  });
}

/** Compares a translation with the reference language. */
export function compareLocales(reference: Messages, translation: Messages): Problem[] {
  return [
    ...findMissing(reference, translation),
    ...[...translation.byKey].flatMap(([key, { text, line }]) => {
      const { file } = translation;
      const original = reference.byKey.get(key);
      if (!original) {
        return [{ file, line, text: `${key} is not in ${reference.file}: remove it` }];
      }
      const problems = compareArguments(original.text, text, reference.locale);
      if (text === original.text && hasSeveralWords(text)) {
        problems.push(`is the text of ${reference.file}: translate it`);
      }
      return problems.map((problem) => ({ file, line, text: `${key} ${problem}` }));
    }),
  ];
}

/** Reports each on the line after which it belongs. */
function findMissing(reference: Messages, { file, byKey }: Messages): Problem[] {
  let line = 1;
  return [...reference.byKey].flatMap(([key, original]) => {
    const present = byKey.get(key);
    line = present?.line ?? line;
    const problem = `${key} is missing: translate "${original.text}" from ${reference.file}`;
    return present ? [] : [{ file, line, text: problem }];
  });
}

function compareArguments(original: string, translation: string, from: string): string[] {
  const wanted = tryArguments(original).found;
  const given = tryArguments(translation).found;
  // A text that can't be parsed is already reported.
  if (!wanted || !given) return [];
  return [
    ...[...wanted].flatMap(([name, kind]) => {
      const other = given.get(name);
      if (other === undefined) return [`lacks {${name}} (${kind}): use it as in ${from}`];
      if (other === kind) return [];
      return [`has {${name}} as ${other}, and ${from} as ${kind}: make it ${kind}`];
    }),
    ...[...given.keys()]
      .filter((name) => !wanted.has(name))
      .map((name) => `has {${name}}, which ${from} does not have: remove it or correct its name`),
  ];
}

function tryArguments(text: string): { found?: MessageArguments; fault?: string } {
  try {
    return { found: readArguments(text) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** A word alone, such as "Status", may be the same in two languages. */
function hasSeveralWords(text: string): boolean {
  return /\p{L}\P{L}+\p{L}/u.test(text.replaceAll(/\{[^{}]*\}/g, ""));
}
