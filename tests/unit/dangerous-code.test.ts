import ts from "typescript";
import { expect, test } from "vitest";
import { readFolder } from "../../scripts/lib/read-files";
import { descendants, parseSource } from "../../scripts/validate/syntax-tree";

const isOurs = ({ file }: { file: string }) => !file.startsWith("app/generated/");

const parse = (folder: string, matches: RegExp) =>
  readFolder(folder, matches)
    .filter(isOurs)
    .map((file) => ({ file: file.file, nodes: [...descendants(parseSource(file))] }));

/** The server's code and the browser's, and the commands. */
const SERVED = [...parse("app", /(?<!\.test)\.tsx?$/), ...parse("public", /\.js$/)];
const COMMANDS = parse("scripts", /(?<!\.test)\.(?:ts|mjs)$/);

/** Lists the places of these names in code: as a variable, a property or an attribute. */
function uses(files: typeof SERVED, ...names: string[]): string[] {
  const found = files.flatMap(({ file, nodes }) =>
    nodes.flatMap((node) =>
      ts.isIdentifier(node) && names.includes(node.text) ? [`${file}: ${node.text}`] : [],
    ),
  );
  // Folders list their files in no order.
  return found.sort();
}

/** Lists the files' imports from a module of Node. */
function imports(files: typeof SERVED, module: string): string[] {
  return files.flatMap(({ nodes }) =>
    nodes.flatMap((node) => {
      if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return [];
      if (node.moduleSpecifier.text.replace("node:", "") !== module) return [];
      const named = node.importClause?.namedBindings;
      return named && ts.isNamedImports(named)
        ? named.elements.map(({ name }) => name.text)
        : ["*"];
    }),
  );
}

test("the names that these tests look for are found", () => {
  expect(uses(SERVED, "dangerouslySetInnerHTML")).not.toEqual([]);
  expect(imports(COMMANDS, "child_process")).toContain("spawn");
});

test("no code is made from a text", () => {
  expect(uses([...SERVED, ...COMMANDS], "eval", "Function", "AsyncFunction")).toEqual([]);
  expect(imports([...SERVED, ...COMMANDS], "vm")).toEqual([]);
});

test("programs get a list of arguments, never a shell's line, and the server starts none", () => {
  expect(imports(SERVED, "child_process")).toEqual([]);
  const withLists = ["spawn", "spawnSync", "execFile", "execFileSync", "fork", "ChildProcess"];
  const others = imports(COMMANDS, "child_process").filter((name) => !withLists.includes(name));
  expect(others).toEqual([]);
  expect(uses(COMMANDS, "shell")).toEqual([]);
});

test("no response waits for a request's own signal, which garbage collection silences: `whenLeft` tells", () => {
  const isRequest = (node?: ts.Node) =>
    node !== undefined && ts.isIdentifier(node) && node.text === "request";
  const isSignal = (name: ts.Node) => ts.isIdentifier(name) && name.text === "signal";
  const isRead = (node: ts.Node) =>
    (ts.isPropertyAccessExpression(node) && isRequest(node.expression) && isSignal(node.name)) ||
    (ts.isVariableDeclaration(node) &&
      isRequest(node.initializer) &&
      ts.isObjectBindingPattern(node.name) &&
      node.name.elements.some(({ propertyName, name }) => isSignal(propertyName ?? name)));
  const reads = SERVED.flatMap(({ file, nodes }) => (nodes.some(isRead) ? [file] : []));
  // Remix's own hook for errors, which has nothing else: a client whose leaving it misses gets a log line.
  expect(reads).toEqual(["app/entry.server.tsx"]);
});

test("no statement of SQL is put together from texts", () => {
  expect(uses(SERVED, "$queryRawUnsafe", "$executeRawUnsafe")).toEqual([]);
  // Names of statements, tables and columns, and numbers: all are written in the code. The last are pixels.
  expect(new Set(uses(SERVED, "raw"))).toEqual(
    new Set([
      "app/db.server.ts: raw",
      "app/models/figures/figure-days.server.ts: raw",
      "app/models/metering/crossings.server.ts: raw",
      "app/models/metering/growing/growing-rows.server.ts: raw",
      "app/models/metering/limits.server.ts: raw",
      "app/models/upkeep/audit.server.ts: raw",
      "app/services/storage/preview.server.ts: raw",
    ]),
  );
});

test("no script writes markup into a page, but JSON without a <", () => {
  const writers = ["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "srcdoc", "srcDoc"];
  expect(uses(parse("public", /\.js$/), ...writers)).toEqual([]);
  expect(uses(parse("app", /(?<!\.test|\.server)\.tsx$/), ...writers)).toEqual([]);
  expect(uses(SERVED, "dangerouslySetInnerHTML")).toEqual([
    "app/components/document/structured-data.tsx: dangerouslySetInnerHTML",
    "app/components/page-messages.tsx: dangerouslySetInnerHTML",
  ]);
});

test("no script stores anything in the browser, or takes messages from other windows", () => {
  const stores = ["localStorage", "sessionStorage", "indexedDB", "cookieStore", "postMessage"];
  expect(uses(SERVED, ...stores)).toEqual([]);
  const texts = SERVED.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (ts.isCallExpression(node) ? [node] : [])),
  );
  const listened = texts.flatMap(({ expression, arguments: [event] }) =>
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === "addEventListener" &&
    event &&
    ts.isStringLiteral(event)
      ? [event.text]
      : [],
  );
  expect(listened).toContain("submit");
  expect(listened).not.toContain("message");
});
