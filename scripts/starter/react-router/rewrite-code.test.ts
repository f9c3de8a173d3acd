import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Left, rewriteCode } from "./rewrite-code";

/** Rewrites a project of these files, and returns them as they are then, with what was left. */
function rewrite(files: Record<string, string>): { files: Record<string, string>; left: Left[] } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "rewrite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compilerOptions = { jsx: "react-jsx", module: "ESNext", moduleResolution: "Bundler" };
  const all = { "tsconfig.json": JSON.stringify({ compilerOptions, include: ["."] }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const { left } = rewriteCode(folder);
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  return { files: Object.fromEntries(Object.keys(files).map((file) => [file, read(file)])), left };
}

const REWRITTEN: Record<string, [before: string, after: string]> = {
  "imports of one module, joined": [
    `import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
`,
    `import { type LoaderFunctionArgs, redirect, useLoaderData } from "react-router";
`,
  ],
  "types alone stay types alone": [
    `import type { LoaderFunctionArgs } from "@remix-run/node";
import type { Params } from "@remix-run/react";
`,
    `import type { LoaderFunctionArgs, Params } from "react-router";
`,
  ],
  "other names, in code and as elements": [
    `import { RemixServer } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
export const page = <RemixServer context={context} url={url} />;
export const Stub = createRemixStub([]);
`,
    `import { ServerRouter, createRoutesStub } from "react-router";
export const page = <ServerRouter context={context} url={url} />;
export const Stub = createRoutesStub([]);
`,
  ],
  "json becomes data, and nobody else's json does": [
    `import { json } from "@remix-run/node";
export const loader = async () => json({ json: await (await fetch("/x")).json() }, 201);
`,
    `import { data } from "react-router";
export const loader = async () => data({ json: await (await fetch("/x")).json() }, 201);
`,
  ],
  "a name of the project's own": [
    `import { json as reply, vitePlugin as remix } from "@remix-run/dev";
export const plugins = [remix(), reply];
`,
    `import { data as reply, reactRouter as remix } from "@react-router/dev/vite";
export const plugins = [remix(), reply];
`,
  ],
  "what has another home": [
    `import { RemixBrowser } from "@remix-run/react";
import { createReadableStreamFromReadable, redirect } from "@remix-run/node";
export const here = [RemixBrowser, redirect, createReadableStreamFromReadable];
`,
    `import { redirect } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { createReadableStreamFromReadable } from "@react-router/node";

export const here = [HydratedRouter, redirect, createReadableStreamFromReadable];
`,
  ],
  "a response's type": [
    `import { redirect, type TypedResponse } from "@remix-run/node";
export const go = (): TypedResponse<never> => redirect("/");
`,
    `import { redirect } from "react-router";
export const go = (): Response => redirect("/");
`,
  ],
  "modules that are named elsewhere": [
    `import * as build from "virtual:remix/server-build";
export { Form } from "@remix-run/react";
export type Args = import("@remix-run/node").LoaderFunctionArgs;
vi.mock("@remix-run/react", () => build);
declare module "@remix-run/node" {
  interface AppLoadContext {}
}
`,
    `import * as build from "virtual:react-router/server-build";
export { Form } from "react-router";
export type Args = import("react-router").LoaderFunctionArgs;
vi.mock("react-router", () => build);
declare module "react-router" {
  interface AppLoadContext {}
}
`,
  ],
  "a table by packages' names stays": [
    `export const known = { "@remix-run/node": 1, "@remix-run/react": 2 };
`,
    `export const known = { "@remix-run/node": 1, "@remix-run/react": 2 };
`,
  ],
};

test.each(Object.entries(REWRITTEN))("%s", (_name, [before, after]) => {
  const { files, left } = rewrite({ "app/one.tsx": before });
  expect(sorted(files["app/one.tsx"])).toBe(sorted(after));
  expect(left).toEqual([]);
});

/** With the names of each import in order, as the formatter leaves them. */
function sorted(text = ""): string {
  return text.replaceAll(/import( type)? \{ ([^}]*) \}/g, (_all, type = "", names: string) => {
    const inOrder = names.split(", ").sort((a, b) => bare(a).localeCompare(bare(b)));
    return `import${type} { ${inOrder.join(", ")} }`;
  });
}

const bare = (name: string) => name.replace("type ", "");

test("what is not understood is left where it is, and told by line", () => {
  const { left } = rewrite({
    "app/two.ts": `import { defer } from "@remix-run/node";
import { Theme } from "@remix-run/css-bundle";
export const loader = () => defer({ theme: Theme });
`,
  });
  expect(left).toEqual([
    { file: "app/two.ts", line: 1, what: expect.stringContaining("React Router has no defer") },
    { file: "app/two.ts", line: 2, what: expect.stringContaining("@remix-run/css-bundle") },
  ]);
});
