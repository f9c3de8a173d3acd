import { createRequire } from "node:module";
import type { Plugin } from "vite";

/** Packages that stay in node_modules, and are loaded when the server starts. */
const REQUIRED = [
  "@node-rs/argon2",
  "@prisma/adapter-pg",
  "@prisma/client",
  "pg",
  "pino",
  "react",
  "react-dom",
];

/**
 * The packages that stay in node_modules. Every other one becomes part of the server's build, which then
 * starts in half the time: Node finds and reads a few files instead of a thousand. A package stays outside
 * if it has native code, finds files of its own at run time, or starts threads. React stays because it
 * chooses between its development and its production code when it starts, and node-postgres because
 * Prisma's adapter uses it, too.
 */
export const OUTSIDE_PACKAGES = [...REQUIRED, "piscina", "sharp"];

const PREFIX = "\0required:";
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Lets the build load packages of CommonJS by `require`. An `import` would have Node read each of their
 * files a second time, to find the names that they export: a tenth of the time that the server takes to start.
 */
export function requiredPackages(): Plugin {
  const require = createRequire(import.meta.url);
  const isRequired = (id: string) =>
    REQUIRED.some((name) => id === name || id.startsWith(`${name}/`));
  return {
    name: "required-packages",
    apply: "build",
    enforce: "pre",
    resolveId: (id, _importer, { ssr }) => (ssr && isRequired(id) ? PREFIX + id : null),
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const name = id.slice(PREFIX.length);
      const exported = Object.keys(require(name)).filter(
        (key) => key !== "default" && IDENTIFIER.test(key),
      );
      return [
        'import { createRequire } from "node:module";',
        `const loaded = createRequire(import.meta.url)(${JSON.stringify(name)});`,
        "export default loaded;",
        `export const { ${exported.join(", ")} } = loaded;`,
      ].join("\n");
    },
  };
}
