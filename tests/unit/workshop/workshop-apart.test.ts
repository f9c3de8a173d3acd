import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { folderTree, readTextOf } from "../../../scripts/starter/tree";

const WORKSHOP = /^scripts\/workshop\/|^tests\/\w+\/workshop\//;

const tree = folderTree(".");
const files = tree.list().filter((file) => /\.(tsx?|mjs)$/.test(file));

/** A name that a file imports, as `scripts/lib/command: runCommand`. `*` stands for all or none. */
type Imported = string;

function importsOf(file: string): Imported[] {
  const source = ts.createSourceFile(file, readTextOf(tree, file) ?? "", ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isImportDeclaration).flatMap((declaration) => {
    const { moduleSpecifier } = declaration;
    const from = ts.isStringLiteral(moduleSpecifier) ? resolve(file, moduleSpecifier.text) : null;
    const bindings = declaration.importClause?.namedBindings;
    const names =
      bindings && ts.isNamedImports(bindings)
        ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
        : ["*"];
    return from ? names.map((name) => `${from}: ${name}`) : [];
  });
}

/** Returns the file that an import names, without its ending; null for a package. */
function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith("~/")) return `app/${specifier.slice(2)}`;
  if (specifier.startsWith("#tests/")) return `tests/${specifier.slice(7)}`;
  if (!specifier.startsWith(".")) return null;
  return path.posix.join(path.posix.dirname(file), specifier.replace(/\.(tsx?|mjs)$/, ""));
}

const importsIn = (isIn: (file: string) => boolean) =>
  new Set(files.filter(isIn).flatMap(importsOf));
const ofWorkshop = importsIn((file) => WORKSHOP.test(file));
const elsewhere = importsIn((file) => !WORKSHOP.test(file));

test("only the workshop and its tests import from it, so that a product can delete all of it", () => {
  expect([...ofWorkshop].filter((name) => WORKSHOP.test(name))).not.toEqual([]);
  expect([...elsewhere].filter((name) => WORKSHOP.test(name))).toEqual([]);
});

test("exports that only the workshop imports say so, since they look unused without it", () => {
  const own = [...ofWorkshop].filter((name) => !WORKSHOP.test(name) && !elsewhere.has(name));
  const silent = own.filter((name) => !saysPublic(name));
  expect(own).not.toEqual([]);
  expect(silent).toEqual([]);
});

/** Whether the export's docstring has the tag `@public`, which the search for unused exports passes over. */
function saysPublic(imported: Imported): boolean {
  const [from = "", name = ""] = imported.split(": ");
  const file = files.find((each) => each.replace(/\.(tsx?|mjs)$/, "") === from) ?? "";
  if (name === "*") return true;
  const source = ts.createSourceFile(
    file,
    readTextOf(tree, file) ?? "",
    ts.ScriptTarget.Latest,
    true,
  );
  const declaration = source.statements.find((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((each) => each.name.getText() === name)
      : ts.isFunctionDeclaration(statement) && statement.name?.text === name,
  );
  // Types aren't searched for.
  if (!declaration) return true;
  return ts.getJSDocTags(declaration).some((tag) => tag.tagName.text === "public");
}
