import path from "node:path";
import ts from "typescript";
import type { TextFile } from "../../scripts/lib/read-files";
import { descendants, parseSource } from "../../scripts/validate/syntax-tree";

/** A function, constant or class at the top of a file, or the file's own statements under the name "". */
interface Declaration {
  file: string;
  name: string;
  /** Its source, without comments that stand before it. */
  text: string;
  /** Keys of the declarations that it names, in this file or in others. */
  uses: string[];
}

export type CallGraph = Map<string, Declaration>;

export const keyOf = (file: string, name: string) => `${file}#${name}`;

/**
 * Reads which declaration of these files names which other. It names more than it calls, so what can't be reached
 * here is never called.
 */
export function readCallGraph(files: readonly TextFile[]): CallGraph {
  const known = new Set(files.map(({ file }) => file));
  const graph: CallGraph = new Map();
  for (const { file, text } of files) {
    const source = parseSource({ file, text });
    const parts = source.statements.flatMap((statement) => partsOf(statement));
    const own = new Set(parts.map(({ name }) => name));
    const imported = importsOf(source, file, known);
    for (const name of new Set(["", ...own])) {
      const nodes = parts.filter((part) => part.name === name).map(({ node }) => node);
      const names = new Set(nodes.flatMap((node) => [...identifiersIn(node)]));
      const uses = [...names].flatMap((used) => {
        if (own.has(used) && used !== name) return [keyOf(file, used)];
        return imported.get(used) ?? [];
      });
      // A file that is only imported runs its own statements.
      const ran = name === "" ? (imported.get("") ?? []) : [];
      const code = nodes.map((node) => node.getText(source)).join("\n");
      graph.set(keyOf(file, name), { file, name, text: code, uses: [...uses, ...ran] });
    }
  }
  return graph;
}

/** All declarations that these lead to, themselves included. */
export function reach(graph: CallGraph, starts: readonly string[]): Declaration[] {
  const found = new Map<string, Declaration>();
  const waiting = [...starts];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const declaration = graph.get(key);
    if (!declaration || found.has(key)) continue;
    found.set(key, declaration);
    waiting.push(...declaration.uses);
  }
  return [...found.values()];
}

function partsOf(statement: ts.Statement): { name: string; node: ts.Node }[] {
  if (ts.isImportDeclaration(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((node) => ({
      name: ts.isIdentifier(node.name) ? node.name.text : "",
      node,
    }));
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return [{ name: isNamed ? (statement.name?.text ?? "") : "", node: statement }];
}

function* identifiersIn(node: ts.Node): Generator<string> {
  for (const inner of descendants(node)) if (ts.isIdentifier(inner)) yield inner.text;
}

/** Local names of imports, and under "" the files that are imported for their statements alone. */
function importsOf(source: ts.SourceFile, file: string, known: Set<string>) {
  const found = new Map<string, string[]>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    const target = resolve(file, statement.moduleSpecifier.text, known);
    if (!target) continue;
    const { importClause } = statement;
    if (!importClause) found.set("", [...(found.get("") ?? []), keyOf(target, "")]);
    const bindings = importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName, isTypeOnly } of bindings.elements)
      if (!isTypeOnly && importClause?.isTypeOnly !== true)
        found.set(name.text, [keyOf(target, (propertyName ?? name).text)]);
  }
  return found;
}

function resolve(from: string, specifier: string, known: Set<string>): string | undefined {
  const base = specifier.startsWith("~/")
    ? `app/${specifier.slice(2)}`
    : path.posix.join(path.posix.dirname(from), specifier);
  return ["", ".ts", ".tsx"].map((ending) => base + ending).find((file) => known.has(file));
}
