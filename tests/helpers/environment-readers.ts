import path from "node:path";
import ts from "typescript";
import { aliasOf } from "~/env/aliases";
import { listVariables, parseEnv } from "~/env.server";
import { COMPLETE, CREEM, type Source, STRIPE } from "../fixtures/preflight";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Reads what concerns the processes themselves. */
const START = "scripts/start.ts";

/** The app's code with its types, and the fields of `Env` that each variable changes. */
export interface App {
  checker: ts.TypeChecker;
  /** Declaration of each property → the files that read it. */
  readers: Map<ts.Declaration, Set<string>>;
  fieldsOf: Map<string, ts.Symbol[][]>;
}

/** Reads the app's code and types; takes some seconds. */
export async function loadApp(): Promise<App> {
  const configFile = path.join(ROOT, "tsconfig.json");
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const app = ts.sys.readDirectory(path.join(ROOT, "app"), [".ts", ".tsx"], ["**/*.test.*"]);
  const files = [...app, path.join(ROOT, START)];
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const env = findEnv(program, checker);
  const fieldsOf = new Map(
    listVariables().map(({ name }) => [
      name,
      changedPaths(name).map((steps) => fieldsAlong(checker, env, steps)),
    ]),
  );
  const names = new Set([...fieldsOf.values()].flat(2).map(({ name }) => name));
  return { checker, readers: await listReaders(program, checker, names), fieldsOf };
}

/**
 * Returns the variables whose settings no code outside `app/env` reads. A variable is read if some field
 * of `Env` that changes with it is, together with every field on the way to it: `oauth.github.clientId`
 * needs a reader of `oauth`, of `github` and of `clientId`. The last of them may be read under the same
 * name of another type, since settings are passed on as the types that services declare. The preflight,
 * which only says what is set, doesn't count.
 */
export function findUnreadVariables(
  { readers, fieldsOf }: App,
  counts: (file: string) => boolean = () => true,
): string[] {
  const isReadAt = (one: ts.Declaration) => [...(readers.get(one) ?? [])].some(counts);
  const read = [...readers.keys()].filter(isReadAt);
  const names = new Set(read.filter(isField).map(({ name }) => name.getText()));
  const isExact = ({ declarations = [] }: ts.Symbol) => declarations.some(isReadAt);
  const isRead = (fields: ts.Symbol[]) => {
    const last = fields.at(-1);
    const onTheWay = fields.slice(0, -1);
    return Boolean(last && (isExact(last) || names.has(last.name)) && onTheWay.every(isExact));
  };
  return [...fieldsOf].flatMap(([name, paths]) => (paths.some(isRead) ? [] : [name]));
}

/** Finds who reads properties of these names: only these need to be type-checked. */
async function listReaders(program: ts.Program, checker: ts.TypeChecker, names: Set<string>) {
  const readers: App["readers"] = new Map();
  const note = (symbol: ts.Symbol | undefined, file: string) => {
    for (const declaration of symbol?.declarations ?? [])
      readers.set(declaration, (readers.get(declaration) ?? new Set()).add(file));
  };
  const visit = (node: ts.Node, file: string): void => {
    if (ts.isPropertyAccessExpression(node) && names.has(node.name.text))
      note(checker.getSymbolAtLocation(node.name), file);
    else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name) && names.has(name.text))
        note(checker.getTypeAtLocation(node.parent).getProperty(name.text), file);
    }
    ts.forEachChild(node, (child) => visit(child, file));
  };
  for (const file of program.getSourceFiles()) {
    // The test runner ends a worker that doesn't respond for a minute.
    await new Promise((resolve) => setImmediate(resolve));
    const name = path.relative(ROOT, file.fileName);
    if (name === START || (name.startsWith("app/") && !/^app\/(env|generated)\//.test(name)))
      visit(file, name);
  }
  return readers;
}

function findEnv(program: ts.Program, checker: ts.TypeChecker): ts.Type {
  const file = program.getSourceFile(path.join(ROOT, "app/env/environment.ts"));
  const env = file?.statements.find(
    (node): node is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(node) && node.name.text === "Env",
  );
  if (!env) throw new Error("app/env/environment.ts has no interface Env");
  return checker.getTypeAtLocation(env);
}

/** Returns the declared fields of `Env` along a path; keys of a record have no declaration. */
function fieldsAlong(checker: ts.TypeChecker, env: ts.Type, steps: string[]): ts.Symbol[] {
  let types = [env];
  const fields: ts.Symbol[] = [];
  for (const step of steps) {
    const found = types.flatMap((type) => type.getProperty(step) ?? []);
    fields.push(...found.filter(({ declarations }) => declarations?.some(isField)));
    types = found
      .map((symbol) => checker.getTypeOfSymbol(symbol))
      .flatMap((type) => (type.isUnion() ? type.types : [type]));
  }
  return fields;
}

/** Whether it declares a field of a type, not a key of a record. */
function isField(declaration: ts.Declaration): declaration is ts.PropertySignature {
  return ts.isPropertySignature(declaration);
}

const BASES: Source[] = [
  {
    ...{ ...CREEM, ...COMPLETE, PAYMENTS_PROVIDER: "A" },
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://traces.test",
  },
  // Older names of prices count where the present ones are unset.
  Object.fromEntries(
    Object.entries({ ...COMPLETE }).filter(([name]) => !/_PRICE_\w+_(MONTHLY|ANNUAL)$/.test(name)),
  ),
  { ...COMPLETE, ...STRIPE, ...CREEM },
];
const VALUES = [
  "true",
  "false",
  "off",
  "2",
  "0.5",
  "name=value",
  "ann@example.com",
  "debug",
  "development",
  "3",
  "B",
  "r2",
  "https://api.test/x",
  "owner/name",
  "bpc_other",
  "price_other",
  "prod_other",
];

/**
 * Returns the paths of the fields of `Env` that have another value with another value of the variable.
 * Only where there are none, those that it turns on and off: much is asked whether it is on by code
 * that uses nothing of it.
 */
function changedPaths(name: string): string[][] {
  const changed = new Set<string>();
  const switched = new Set<string>();
  for (const { [aliasOf(name) ?? ""]: aliased, ...rest } of BASES) {
    const own = rest[name] ?? aliased ?? "";
    const base = { ...rest, [name]: own };
    const before = flatten(parseEnv(base));
    for (const value of [`${own}x`, own.slice(0, -1), ...VALUES, undefined]) {
      const after = tryFlatten({ ...base, [name]: value });
      if (!after) continue;
      for (const key of new Set([...before.keys(), ...after.keys()]))
        if (before.get(key) !== after.get(key))
          (hasValue(before, key) && hasValue(after, key) ? changed : switched).add(key);
    }
  }
  return [...(changed.size > 0 ? changed : switched)].map((key) => key.split("."));
}

function hasValue(values: Map<string, string>, key: string): boolean {
  return (values.get(key) ?? "null") !== "null";
}

function tryFlatten(source: Source): Map<string, string> | null {
  try {
    return flatten(parseEnv(source));
  } catch {
    return null;
  }
}

/** Returns each value of the configuration by its path, without what only describes faults. */
function flatten({ warnings, incomplete, ...env }: ReturnType<typeof parseEnv>) {
  const values = new Map<string, string>();
  const add = (value: unknown, at: string): void => {
    // The names of what is missing are no setting.
    if (/\bmissing\w*$/.test(at)) return;
    const isOne = typeof value !== "object" || value === null || value instanceof URL;
    if (isOne || Array.isArray(value)) return void values.set(at, String(value));
    for (const [key, inner] of Object.entries(value)) add(inner, at ? `${at}.${key}` : key);
  };
  add(env, "");
  return values;
}
