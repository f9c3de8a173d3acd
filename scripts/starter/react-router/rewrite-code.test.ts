import { expect, test } from "vitest";
import { rewrite, sorted } from "./test-project";

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
export const around = <RemixServer>{inner}</RemixServer>;
export const Stub = createRemixStub([]);
`,
    `import { ServerRouter, createRoutesStub } from "react-router";
export const page = <ServerRouter context={context} url={url} />;
export const around = <ServerRouter>{inner}</ServerRouter>;
export const Stub = createRoutesStub([]);
`,
  ],
  "a name of the project's own": [
    `import { vitePlugin as remix } from "@remix-run/dev";
export const plugins = [remix()];
`,
    `import { reactRouter as remix } from "@react-router/dev/vite";
export const plugins = [remix()];
`,
  ],
  "what has another home": [
    `import { RemixBrowser } from "@remix-run/react";
import { createReadableStreamFromReadable, redirect } from "@remix-run/node";
export const here = [<RemixBrowser />, redirect, createReadableStreamFromReadable];
`,
    `import { redirect } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { createReadableStreamFromReadable } from "@react-router/node";

export const here = [<HydratedRouter />, redirect, createReadableStreamFromReadable];
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
/** @type {import("@remix-run/node").LoaderFunction} */
declare module "@remix-run/node" {
  interface AppLoadContext {}
}
`,
    `import * as build from "virtual:react-router/server-build";
export { Form } from "react-router";
export type Args = import("react-router").LoaderFunctionArgs;
/** @type {import("react-router").LoaderFunction} */
declare module "react-router" {
  interface AppLoadContext {}
}
`,
  ],
  "a type in a type, and a name of one's own for it": [
    `import type { TypedResponse } from "@remix-run/node";
import type { TypedResponse as Reply } from "@remix-run/server-runtime";
export declare function go(): Promise<TypedResponse<never>> | Promise<Reply<never>>;
`,
    `export declare function go(): Promise<Response> | Promise<Response>;
`,
  ],
  "packages of the scope that need no framework": [
    `import { parseFormData } from "@remix-run/form-data-parser";
export const read = parseFormData;
`,
    `import { parseFormData } from "@remix-run/form-data-parser";
export const read = parseFormData;
`,
  ],
};

test.each(Object.entries(REWRITTEN))("%s", (_name, [before, after]) => {
  const { files, left } = rewrite({ "app/one.tsx": before });
  expect(sorted(files["app/one.tsx"])).toBe(sorted(after));
  expect(left).toEqual([]);
});

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

/** Code that is rewritten as far as that is certain: its last line, that line afterwards, and words of the note on it. */
const DOUBTED: Record<string, [before: string, after: string, note: string]> = {
  "a response with data": [
    `import type { TypedResponse } from "@remix-run/node";
export declare function act(): Promise<TypedResponse<ActionData>>;`,
    `export declare function act(): Promise<Response>;`,
    "TypedResponse<ActionData> is Response now",
  ],
  "responses in a response": [
    `import type { TypedResponse } from "@remix-run/node";
export type Nested = TypedResponse<TypedResponse<never>>;`,
    `export type Nested = Response;`,
    "is Response now",
  ],
  "all names at once": [
    `import * as remix from "@remix-run/node";`,
    `import * as remix from "react-router";`,
    "look at each name",
  ],
  "an export of all": [
    `export * from "@remix-run/react";`,
    `export * from "react-router";`,
    "look at each name",
  ],
  "an export that is gone": [
    `export { defer } from "@remix-run/node";`,
    `export { defer } from "react-router";`,
    "React Router has no defer",
  ],
  "an export that moved elsewhere": [
    `export { RemixBrowser } from "@remix-run/react";`,
    `export { HydratedRouter as RemixBrowser } from "react-router";`,
    "export HydratedRouter from react-router/dom",
  ],
  "an import at run time": [
    `export const remix = await import("@remix-run/node");`,
    `export const remix = await import("react-router");`,
    "look at each name",
  ],
  "a type of a module that is gone": [
    `export type Data = import("@remix-run/node").SerializeFrom<string>;`,
    `export type Data = import("react-router").SerializeFrom<string>;`,
    "React Router has no SerializeFrom",
  ],
  "a mock of one module of several": [
    `vi.mock("@remix-run/react", () => ({ useLoaderData }));`,
    `vi.mock("react-router", () => ({ useLoaderData }));`,
    "vi.mock is for the whole of react-router now",
  ],
  "a key": [
    `export const alias = { "@remix-run/react": "/mine" };`,
    `export const alias = { "@remix-run/react": "/mine" };`,
    "a key names @remix-run/react, which is react-router now",
  ],
  "a module in a template": [
    "export const remix = import(`@remix-run/node`);",
    "export const remix = import(`@remix-run/node`);",
    "@remix-run/node is Remix's",
  ],
  "a folder of packages": [
    `export const isTheirs = (id: string) => id.includes("node_modules/@remix-run/react");`,
    `export const isTheirs = (id: string) => id.includes("node_modules/@remix-run/react");`,
    "@remix-run/react is Remix's",
  ],
  "a pattern": [
    `export const theirs = /@remix-run\\/react/;`,
    `export const theirs = /@remix-run\\/react/;`,
    "@remix-run/react is Remix's",
  ],
  "a name of the browser's": [
    `export const state = window.__remixContext;`,
    `export const state = window.__remixContext;`,
    "__remixContext is Remix's",
  ],
  "a header": [
    `export const isData = headers.has("X-Remix-Response");`,
    `export const isData = headers.has("X-Remix-Response");`,
    "X-Remix-Response is Remix's",
  ],
  "a key that is looked up": [
    `export const version = versions["@remix-run/react"];`,
    `export const version = versions["@remix-run/react"];`,
    "a key names @remix-run/react",
  ],
};

test.each(Object.entries(DOUBTED))("%s is rewritten and told", (_name, [before, after, note]) => {
  const { files, left } = rewrite({ "app/three.ts": before });
  expect(files["app/three.ts"]?.trim()).toBe(after);
  const lines = (files["app/three.ts"] ?? "").split("\n").length;
  expect(left).toMatchObject([
    // The place stands on the last line that has text.
    { file: "app/three.ts", line: lines, what: expect.stringContaining(note) },
  ]);
});

test("lines are those of the file after its imports were joined", () => {
  const { left } = rewrite({
    "app/five.ts": `import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
export const go = [redirect, useLoaderData] satisfies unknown[] as LoaderFunctionArgs[];
vi.mock("@remix-run/react", () => ({ useLoaderData }));
`,
  });
  expect(left).toMatchObject([{ line: 3, what: expect.stringContaining("vi.mock") }]);
});

const COMMENTED = `// biome-ignore lint/style/noRestrictedImports: needs a script.
import { Form } from "@remix-run/react";
`;

test("an import with a comment of its own keeps it", () => {
  const { files, left } = rewrite({ "app/six.tsx": `${COMMENTED}export const all = Form;\n` });
  expect(files["app/six.tsx"]).toContain(COMMENTED.replace("@remix-run/react", "react-router"));
  expect(left).toEqual([]);
});

test("a comment over an import that the formatter joins with another is told", () => {
  const { files, left } = rewrite({
    "app/six.tsx": `import { redirect } from "@remix-run/node";\n${COMMENTED}export const all = [Form, redirect];\n`,
  });
  expect(files["app/six.tsx"]).toContain(COMMENTED.replace("@remix-run/react", "react-router"));
  expect(left).toEqual([
    {
      file: "app/six.tsx",
      line: 2,
      what: expect.stringContaining("put it over each name that needs it"),
    },
  ]);
});

test("a mock of a module that has one successor is certain", () => {
  const { files, left } = rewrite({ "app/four.ts": `vi.mock("@remix-run/express");` });
  expect([files["app/four.ts"], left]).toEqual([`vi.mock("@react-router/express");`, []]);
});

test("tracked code that tsconfig.json leaves out is told", () => {
  const { left } = rewrite({
    "stories/alias.mjs": `\nexport default { find: "@remix-run/react" };`,
    "stories/page.mdx": `import { Link } from "@remix-run/react";`,
    "stories/form.js": `import { parse } from "@remix-run/form-data-parser";`,
    "stories/notes.md": "On @remix-run/react.",
    "deploy/start.sh": "exec npx remix-serve build/server/index.js",
    "paths.json": `{ "@remix-run/react": ["mine"] }`,
    "scripts/starter/react-router/move.cjs": `require("@remix-run/react");`,
  });
  const what = expect.stringContaining("no code that tsconfig.json has");
  expect(left).toEqual([
    { file: "deploy/start.sh", line: 1, what },
    { file: "paths.json", line: 1, what },
    { file: "stories/alias.mjs", line: 2, what },
    { file: "stories/page.mdx", line: 1, what },
  ]);
});
