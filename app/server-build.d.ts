/** The server's build of all routes, as the framework's Vite plugin provides it. */
declare module "virtual:remix/server-build" {
  const build: import("@remix-run/node").ServerBuild;
  export = build;
}
