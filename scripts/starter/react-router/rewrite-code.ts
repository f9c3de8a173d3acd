import path from "node:path";
import { type ImportDeclaration, Node, Project, type SourceFile, SyntaxKind } from "ts-morph";

/** The modules of Remix, and where React Router has what they export. */
const MODULES: Record<string, string> = {
  "@remix-run/dev": "@react-router/dev/vite",
  "@remix-run/express": "@react-router/express",
  "@remix-run/fs-routes": "@react-router/fs-routes",
  "@remix-run/node": "react-router",
  "@remix-run/react": "react-router",
  "@remix-run/route-config": "@react-router/dev/routes",
  "@remix-run/serve": "@react-router/serve",
  "@remix-run/server-runtime": "react-router",
  "@remix-run/testing": "react-router",
  "virtual:remix/server-build": "virtual:react-router/server-build",
};

/** Exports that have another name. */
const NAMES: Record<string, string> = {
  RemixBrowser: "HydratedRouter",
  RemixServer: "ServerRouter",
  createRemixStub: "createRoutesStub",
  json: "data",
  vitePlugin: "reactRouter",
};

/** Exports that are not where the rest of their module went, by their name in React Router. */
const PLACES: Record<string, string> = {
  HydratedRouter: "react-router/dom",
  RouterProvider: "react-router/dom",
  createFileSessionStorage: "@react-router/node",
  createReadableStreamFromReadable: "@react-router/node",
  readableStreamToString: "@react-router/node",
  writeAsyncIterableToWritable: "@react-router/node",
  writeReadableStreamToWritable: "@react-router/node",
};

/** Exports that React Router doesn't have, and what to do. */
const GONE: Record<string, string> = {
  LiveReload: "delete it: Vite reloads",
  SerializeFrom: "name the type of the data, or use `useLoaderData<typeof loader>`",
  defer: "return the object itself: its promises are sent as they settle",
  installGlobals: "delete it: Node has them",
  unstable_composeUploadHandlers:
    "read the form with a library, such as @mjackson/form-data-parser",
  unstable_createMemoryUploadHandler:
    "read the form with a library, such as @mjackson/form-data-parser",
  unstable_parseMultipartFormData:
    "read the form with a library, such as @mjackson/form-data-parser",
};

/** A place that the move did not understand and a person must change. */
export interface Left {
  file: string;
  line: number;
  what: string;
}

/**
 * Rewrites the code of the project in `folder` from Remix to React Router: imports, exports and other names of
 * modules, names that changed, and types. Returns the files it wrote, and every place that it left to a person.
 */
export function rewriteCode(folder: string): { changed: string[]; left: Left[] } {
  const project = new Project({
    tsConfigFilePath: path.join(folder, "tsconfig.json"),
    skipFileDependencyResolution: true,
  });
  const left: Left[] = [];
  for (const file of project.getSourceFiles()) {
    const before = file.getFullText();
    if (!before.includes("remix")) continue;
    const note = (node: Node, what: string) =>
      left.push({
        file: path.relative(folder, file.getFilePath()),
        line: node.getStartLineNumber(),
        what,
      });
    for (const declaration of file.getImportDeclarations()) moveImport(file, declaration, note);
    joinImports(file);
    renameModules(file, note);
  }
  const changed = project.getSourceFiles().filter((file) => !file.isSaved());
  project.saveSync();
  return { changed: changed.map((file) => path.relative(folder, file.getFilePath())), left };
}

type Note = (node: Node, what: string) => void;

/** Moves the names of one import to where React Router has them. */
function moveImport(file: SourceFile, declaration: ImportDeclaration, note: Note): void {
  const target = MODULES[declaration.getModuleSpecifierValue()];
  if (!target) return;
  const hadNames = declaration.getNamedImports().length > 0;
  for (const named of declaration.getNamedImports()) {
    const old = named.getName();
    const gone = GONE[old];
    if (gone) {
      note(named, `React Router has no ${old}: ${gone}`);
      continue;
    }
    if (old === "TypedResponse") {
      for (const type of file.getDescendantsOfKind(SyntaxKind.TypeReference))
        if (type.getTypeName().getText() === old) type.replaceWithText("Response");
      named.remove();
      continue;
    }
    const name = NAMES[old] ?? old;
    if (name !== old) {
      // The editor's own renaming would need the types of packages that are not installed yet.
      if (!named.getAliasNode())
        for (const use of file.getDescendantsOfKind(SyntaxKind.Identifier))
          if (use.getText() === old && use.getParent() !== named && !isProperty(use))
            use.replaceWithText(name);
      named.setName(name);
    }
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

/** Returns whether the name is that of an object's property, such as `response.json`. */
function isProperty(name: Node): boolean {
  const parent = name.getParent();
  return (
    (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === name) ||
    (Node.isPropertyAssignment(parent) && parent.getNameNode() === name)
  );
}

/** Joins the imports of React Router that name the same module. */
function joinImports(file: SourceFile): void {
  const kept = new Map<string, ImportDeclaration>();
  for (const declaration of file.getImportDeclarations()) {
    const module = declaration.getModuleSpecifierValue();
    if (!Object.values(MODULES).includes(module) || declaration.getNamespaceImport()) continue;
    const first = kept.get(module);
    if (!first) {
      kept.set(module, declaration);
      continue;
    }
    const areTypes = [first, declaration].map((one) => one.isTypeOnly());
    const both = areTypes.every(Boolean);
    if (!both) {
      if (areTypes[0]) for (const named of first.getNamedImports()) named.setIsTypeOnly(true);
      first.setIsTypeOnly(false);
    }
    for (const named of declaration.getNamedImports()) {
      const structure = named.getStructure();
      first.addNamedImport({
        ...structure,
        isTypeOnly: !both && (areTypes[1] || Boolean(structure.isTypeOnly)),
      });
    }
    declaration.remove();
  }
}

/** Renames the modules that are named elsewhere: in exports, declarations, dynamic imports and tests' mocks. */
function renameModules(file: SourceFile, note: Note): void {
  for (const text of file.getDescendantsOfKind(SyntaxKind.StringLiteral)) {
    if (isProperty(text)) continue;
    const module = text.getLiteralValue();
    const target = MODULES[module];
    if (target) text.setLiteralValue(target);
    else if (module.startsWith("@remix-run/")) note(text, `nothing is known of ${module}`);
  }
}
