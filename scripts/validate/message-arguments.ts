import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";

/** A message's arguments by name: `{ name: "text", count: "plural" }`. */
export type MessageArguments = Map<string, string>;

const KINDS: Partial<Record<TYPE, string>> = {
  [TYPE.argument]: "text",
  [TYPE.number]: "number",
  [TYPE.date]: "date",
  [TYPE.time]: "time",
  [TYPE.tag]: "tag",
};

/** Throws a SyntaxError whose message is ICU's error name, such as MISSING_OTHER_CLAUSE. */
export function readArguments(message: string): MessageArguments {
  const kinds = new Map<string, Set<string>>();
  for (const element of elementsOf(parse(message))) {
    const kind = kindOf(element);
    if (kind && "value" in element) {
      kinds.set(element.value, (kinds.get(element.value) ?? new Set()).add(kind));
    }
  }
  return new Map([...kinds].map(([name, all]) => [name, describeKinds(all)]));
}

/** A plural's number may appear as `#` in one language and by its name in another. */
function describeKinds(kinds: Set<string>): string {
  const special = [...kinds].filter((kind) => kind !== "text").toSorted();
  return special.length > 0 ? special.join(" and ") : "text";
}

function kindOf(element: MessageFormatElement): string | undefined {
  if (element.type === TYPE.plural) {
    return element.pluralType === "ordinal" ? "selectordinal" : "plural";
  }
  if (element.type === TYPE.select) {
    return `select of ${Object.keys(element.options).toSorted().join(", ")}`;
  }
  return KINDS[element.type];
}

function* elementsOf(elements: MessageFormatElement[]): Generator<MessageFormatElement> {
  for (const element of elements) {
    yield element;
    if (element.type === TYPE.tag) yield* elementsOf(element.children);
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      for (const option of Object.values(element.options)) yield* elementsOf(option.value);
    }
  }
}

/** Returns plural forms in the message that the language doesn't have; they would never show. */
export function findForeignPlurals(message: string, locale: string): string[] {
  return [...elementsOf(parse(message))].flatMap((element) => {
    if (element.type !== TYPE.plural) return [];
    const { pluralCategories } = new Intl.PluralRules(locale, {
      type: element.pluralType ?? "cardinal",
    }).resolvedOptions();
    const known: string[] = pluralCategories;
    return Object.keys(element.options).filter(
      (form) => !form.startsWith("=") && !known.includes(form),
    );
  });
}
