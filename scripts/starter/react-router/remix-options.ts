import { existsSync } from "node:fs";
import path from "node:path";
import { Node, type ObjectLiteralExpression, Project, type SourceFile, SyntaxKind } from "ts-morph";
import type { Left } from "./modules";

/** The starter's own options. In React Router 7 each is the default, or stands in the new configuration. */
const OURS = new Set([
  "future.v3_fetcherPersist",
  "future.v3_lazyRouteDiscovery",
  "future.v3_relativeSplatPath",
  "future.v3_routeConfig",
  "future.v3_singleFetch",
  "future.v3_throwAbortReason",
]);

/**
 * Returns the options of Remix that the project has added to the starter's, in `remix.config.js` and in the call of Remix's
 * plugin. Reads the project as it is before the move.
 */
export function listOwnOptions(folder: string): Left[] {
  const project = new Project({ compilerOptions: { allowJs: true } });
  return ["remix.config.js", "vite.config.ts"].flatMap((file) => {
    if (!existsSync(path.join(folder, file))) return [];
    const source = project.addSourceFileAtPath(path.join(folder, file));
    const given = file === "vite.config.ts" ? listPluginOptions(source) : [exportedBy(source)];
    return given
      .flatMap((options) => listNames(options))
      .filter((name) => !OURS.has(name))
      .map((name) => ({
        file,
        line: 0,
        what: `carry ${name} over to react-router.config.ts`,
      }));
  });
}

function exportedBy(source: SourceFile): Node | undefined {
  return source.getExportAssignment((one) => !one.isExportEquals())?.getExpression();
}

/** Returns the options in each call of Remix's plugin, without those that are imported from `remix.config.js`. */
function listPluginOptions(source: SourceFile): Node[] {
  const plugin = source
    .getImportDeclarations()
    .filter((declaration) => declaration.getModuleSpecifierValue() === "@remix-run/dev")
    .flatMap((declaration) => declaration.getNamedImports())
    .find((named) => named.getName() === "vitePlugin");
  if (!plugin) return [];
  const name = plugin.getAliasNode()?.getText() ?? plugin.getName();
  return source
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => call.getExpression().getText() === name)
    .flatMap((call) => call.getArguments())
    .filter((options) => !isFromRemixConfig(options));
}

function isFromRemixConfig(options: Node): boolean {
  const declaration = options
    .getSourceFile()
    .getImportDeclaration((one) =>
      /^\.\/remix\.config(?:\.js)?$/.test(one.getModuleSpecifierValue()),
    );
  return Boolean(declaration) && options.getText() === declaration?.getDefaultImport()?.getText();
}

/** Returns the names of the options, as `basename` or `future.v3_singleFetch`. */
function listNames(options: Node | undefined, before = ""): string[] {
  const object = objectOf(options);
  if (!object) return [before ? before.slice(0, -1) : "its options"];
  return object.getProperties().flatMap((property) => {
    if (Node.isSpreadAssignment(property))
      return isFromRemixConfig(property.getExpression()) ? [] : [`${before}${property.getText()}`];
    const name = `${before}${property.getName().replace(/^["']|["']$/g, "")}`;
    return name === "future" && Node.isPropertyAssignment(property)
      ? listNames(property.getInitializer(), "future.")
      : [name];
  });
}

/** Returns the object that an expression is or names, if it is written in this file. */
function objectOf(expression: Node | undefined): ObjectLiteralExpression | null {
  if (Node.isObjectLiteralExpression(expression)) return expression;
  if (
    Node.isSatisfiesExpression(expression) ||
    Node.isAsExpression(expression) ||
    Node.isParenthesizedExpression(expression)
  )
    return objectOf(expression.getExpression());
  if (!Node.isIdentifier(expression)) return null;
  const variable = expression.getSourceFile().getVariableDeclaration(expression.getText());
  return variable ? objectOf(variable.getInitializer()) : null;
}
