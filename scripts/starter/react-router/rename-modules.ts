import { Node, type SourceFile, type StringLiteral, SyntaxKind } from "ts-morph";
import { isProperty } from "./is-property";
import { doubtOfNames, GONE, isOfRemix, MODULES, NAMES, type Note, PLACES } from "./modules";
import { EDITED } from "./places";

/** The starter's own files whose keys stay: this one is a registry's, with a weakness of Remix. */
const KEYS_STAY = new Set(["tests/helpers/advisory-registry.ts"]);

/** Renames the modules that are named elsewhere: in exports, declarations, dynamic imports and tests' mocks. */
export function renameModules(file: SourceFile, name: string, note: Note): void {
  for (const text of file.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    const module = text.getLiteralValue();
    const target = MODULES[module];
    if (isKey(text)) {
      if (isOfRemix(module) && !KEYS_STAY.has(name))
        note(text, `a key names ${module}${target ? `, which is ${target} now` : ""}`, module);
      continue;
    }
    if (!target) {
      if (isOfRemix(module)) note(text, `nothing is known of ${module}`, module);
      continue;
    }
    const doubt = doubtOf(text, target);
    if (doubt) note(text, doubt, target);
    text.setLiteralValue(target);
  }
}

/** Names of Remix that stand in something longer than a module's name. */
const REMAINS = /@remix-run\/[\w-]+|__remix\w+|\bX-Remix-\w+|virtual:remix\/[\w-]+|\bvite:build\b/i;

const TEXTS = [
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.Identifier,
] as const;

/** The starter's own files that name Remix in texts. The edits of places look after the first ones. */
const MAY_REMAIN = new Set([
  ...EDITED.map(({ file }) => file),
  ...KEYS_STAY,
  "tests/integration/http/script-free-pages.test.ts",
]);

/** Notes texts, patterns and names that still have Remix's in them. */
export function noteRemains(file: SourceFile, name: string, note: Note): void {
  if (MAY_REMAIN.has(name)) return;
  for (const kind of TEXTS)
    for (const text of file.getDescendantsOfKind(kind)) {
      if (Node.isStringLiteral(text) && (isKey(text) || isOfRemix(text.getLiteralValue())))
        continue;
      const [found] = REMAINS.exec(text.getText().replaceAll("\\/", "/")) ?? [];
      if (found && (!found.startsWith("@") || isOfRemix(found)))
        note(text, `${found} is Remix's: see what React Router has in its place`, text.getText());
    }
}

/** Returns whether the text is a property's name, as in `{ "a": 1 }` or `table["a"]`. */
function isKey(text: StringLiteral): boolean {
  return isProperty(text) || Node.isElementAccessExpression(text.getParent());
}

/** Returns why the place may need more than the module's new name, or null. */
function doubtOf(text: StringLiteral, target: string): string | null {
  const parent = text.getParent();
  const type = parent?.getParent();
  if (Node.isImportTypeNode(type)) {
    const name = type.getQualifier()?.getText();
    if (!name) return doubtOfNames(target);
    return name in NAMES || name in PLACES || name in GONE || name === "TypedResponse"
      ? `React Router has no ${name} in ${target}`
      : null;
  }
  if (!Node.isCallExpression(parent)) return null;
  const called = parent.getExpression().getText();
  if (called === "import" || called === "require") return doubtOfNames(target);
  const isShared = Object.values(MODULES).filter((module) => module === target).length > 1;
  return isShared && /^(?:vi|vitest|jest)\./.test(called)
    ? `${called} is for the whole of ${target} now: give it every name that the test needs, and join it with others of this file`
    : null;
}
