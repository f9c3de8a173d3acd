/**
 * The newest React Router 7 whose packages belong together. At releases the whole of `npm test` was run on a moved copy; the
 * drill runs its unit tests and ten files of browser tests.
 */
export const REACT_ROUTER = "7.18.4";

/** The successor of each package of Remix; null where React Router has it in another package. */
const PACKAGES: Record<string, string | null> = {
  "@remix-run/dev": "@react-router/dev",
  "@remix-run/express": "@react-router/express",
  "@remix-run/fs-routes": "@react-router/fs-routes",
  "@remix-run/node": "@react-router/node",
  "@remix-run/react": "react-router",
  "@remix-run/route-config": null,
  "@remix-run/serve": "@react-router/serve",
  "@remix-run/testing": null,
  // Of version 6 in a project that imports them itself.
  "react-router": "react-router",
  "react-router-dom": "react-router",
};

/** Versions that Remix needed held, and what served the move alone. */
const NO_LONGER = {
  overrides: ["@remix-run/router", "react-router", "react-router-dom"],
  devDependencies: ["ts-morph"],
  scripts: ["starter:react-router", "react-router:check", "react-router:lock"],
};

type Manifest = Record<string, Record<string, string> | undefined>;

/** Returns the `package.json` of the project on React Router. Packages of the project's own stay as they are. */
export function movedManifest(text: string): string {
  const manifest = JSON.parse(text) as Manifest;
  for (const kind of ["dependencies", "devDependencies"]) {
    const moved = Object.entries(manifest[kind] ?? {}).flatMap(([name, version]) => {
      const target = PACKAGES[name];
      if (target === undefined) return [[name, version]];
      return target ? [[target, REACT_ROUTER]] : [];
    });
    manifest[kind] = Object.fromEntries(moved.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
  }
  for (const [kind, names] of Object.entries(NO_LONGER))
    for (const name of names) delete manifest[kind]?.[name];
  const { scripts } = manifest;
  if (scripts?.build)
    scripts.build = scripts.build.replace("remix vite:build", "react-router build");
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns which packages of a `package.json` the move replaces, as `before → after`, and which it drops. */
export function listReplaced(text: string): string[] {
  const manifest = JSON.parse(text) as Manifest;
  return Object.entries(PACKAGES)
    .filter(([name]) => manifest.dependencies?.[name] ?? manifest.devDependencies?.[name])
    .map(([name, target]) => (target ? `${name} → ${target}` : `${name} is dropped`));
}

/** Returns the manifest without the packages of React Router. */
export function withoutRouter(text: string): string {
  const manifest = JSON.parse(text) as Manifest;
  for (const kind of ["dependencies", "devDependencies"])
    for (const name of Object.values(PACKAGES)) if (name) delete manifest[kind]?.[name];
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
