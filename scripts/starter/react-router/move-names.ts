import {
  type ExportDeclaration,
  type Identifier,
  type ImportDeclaration,
  type ImportSpecifier,
  Node,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import { isProperty } from "./is-property";
import { doubtOfNames, GONE, MODULES, NAMES, type Note, PLACES } from "./modules";

const JSON_IS_DATA =
  "json() is data() now, which keeps a Date a Date, never calls toJSON and refuses objects of a class: look at the data that is sent";

/** Moves the names of one import to where React Router has them. */
export function moveImport(file: SourceFile, declaration: ImportDeclaration, note: Note): void {
  const target = MODULES[declaration.getModuleSpecifierValue()];
  if (!target) return;
  const doubt = declaration.getNamespaceImport() ? doubtOfNames(target) : null;
  if (doubt) note(declaration, doubt, target);
  const hadNames = declaration.getNamedImports().length > 0;
  for (const named of declaration.getNamedImports()) {
    const old = named.getName();
    const gone = GONE[old];
    if (gone) {
      note(named, `React Router has no ${old}: ${gone}`, old);
      continue;
    }
    if (old === "TypedResponse") {
      replaceResponseTypes(file, named.getAliasNode()?.getText() ?? old, note);
      named.remove();
      continue;
    }
    if (old === "json" && !named.isTypeOnly() && !declaration.isTypeOnly())
      note(named, JSON_IS_DATA, "data");
    const name = NAMES[old] ?? old;
    if (name !== old) rename(file, named, name);
    const place = PLACES[name];
    if (!place || place === target) continue;
    file.addImportDeclaration({
      moduleSpecifier: place,
      isTypeOnly: declaration.isTypeOnly(),
      namedImports: [named.getStructure()],
    });
    named.remove();
  }
  const isEmpty =
    hadNames &&
    declaration.getNamedImports().length === 0 &&
    !declaration.getDefaultImport() &&
    !declaration.getNamespaceImport();
  if (isEmpty) declaration.remove();
  else declaration.setModuleSpecifier(target);
}

/** Moves the names of one `export … from`. Files that import them from here keep the names they know. */
export function moveExport(declaration: ExportDeclaration, note: Note): void {
  const target = MODULES[declaration.getModuleSpecifierValue() ?? ""];
  if (!target) return;
  const doubt = declaration.hasNamedExports() ? null : doubtOfNames(target);
  if (doubt) note(declaration, doubt, target);
  for (const named of declaration.getNamedExports()) {
    const old = named.getName();
    const gone = old === "TypedResponse" ? "use Response" : GONE[old];
    const name = NAMES[old] ?? old;
    const place = PLACES[name];
    if (gone) note(named, `React Router has no ${old}: ${gone}`, old);
    if (old === "json" && !named.isTypeOnly() && !declaration.isTypeOnly())
      note(named, JSON_IS_DATA, "data");
    if (place && place !== target) note(named, `export ${name} from ${place}`, name);
    if (name === old) continue;
    if (!named.getAliasNode()) named.setAlias(old);
    named.setName(name);
  }
  declaration.setModuleSpecifier(target);
}

/**
 * Gives the import its new name, and its uses, too, where they are certain. Otherwise the file keeps the old name as its
 * own. The editor's own renaming sees no variable of the new name that would hide the import.
 */
function rename(file: SourceFile, named: ImportSpecifier, name: string): void {
  const old = named.getName();
  if (!named.getAliasNode()) {
    const uses = listUses(file, named, name);
    if (uses) for (const use of uses) use.replaceWithText(name);
    else named.setAlias(old);
  }
  named.setName(name);
}

/** Returns the uses of an import that can bear the new name, or null if the file has that name or one use isn't plain. */
function listUses(file: SourceFile, named: ImportSpecifier, name: string): Identifier[] | null {
  const identifiers = file
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((identifier) => identifier.getParent() !== named && !isProperty(identifier));
  if (identifiers.some((identifier) => identifier.getText() === name)) return null;
  const uses = identifiers.filter((identifier) => identifier.getText() === named.getName());
  return uses.every(isPlain) ? uses : null;
}

/** Returns whether the name is called, is an element or is a type: it can't be a variable's or a property's own name there. */
function isPlain(use: Identifier): boolean {
  const parent = use.getParent();
  if (Node.isCallExpression(parent)) return parent.getExpression() === use;
  if (Node.isTypeReference(parent)) return parent.getTypeName() === use;
  return (
    Node.isJsxOpeningElement(parent) ||
    Node.isJsxClosingElement(parent) ||
    Node.isJsxSelfClosingElement(parent)
  );
}

/** Writes `Response` for each `TypedResponse`. */
function replaceResponseTypes(file: SourceFile, name: string, note: Note): void {
  // The inner ones first: a type that is replaced takes those in it along.
  for (const type of file.getDescendantsOfKind(SyntaxKind.TypeReference).reverse()) {
    if (type.getTypeName().getText() !== name) continue;
    const [data] = type.getTypeArguments();
    if (data && data.getText() !== "never")
      note(
        type,
        `${type.getText()} is Response now: leave the type of what is returned to the compiler`,
        "Response",
      );
    type.replaceWithText("Response");
  }
}
