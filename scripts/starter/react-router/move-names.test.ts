import { expect, test } from "vitest";
import { rewrite, sorted } from "./test-project";

const JSON_IS_DATA = expect.stringContaining("json() is data() now");

const NAMES_KEPT: Record<string, [before: string, after: string]> = {
  "json becomes data, and nobody else's json does": [
    `import { json } from "@remix-run/node";
export const loader = async () => json({ json: await (await fetch("/x")).json() }, 201);
`,
    `import { data } from "react-router";
export const loader = async () => data({ json: await (await fetch("/x")).json() }, 201);
`,
  ],
  "a variable of the new name": [
    `import { json } from "@remix-run/node";
export const loader = async () => {
  const data = await load();
  return json(data);
};
`,
    `import { data as json } from "react-router";
export const loader = async () => {
  const data = await load();
  return json(data);
};
`,
  ],
  "an import of the new name": [
    `import { data, json } from "@remix-run/node";
export const loader = () => (Date.now() ? json(1) : data(2));
`,
    `import { data, data as json } from "react-router";
export const loader = () => (Date.now() ? json(1) : data(2));
`,
  ],
  "a property that is written by its name": [
    `import { json } from "@remix-run/node";
export const tools = { json };
`,
    `import { data as json } from "react-router";
export const tools = { json };
`,
  ],
  "a variable that hides the import": [
    `import { json } from "@remix-run/node";
export const loader = () => json(1);
export const print = (json: (x: number) => void) => json(2);
`,
    `import { data as json } from "react-router";
export const loader = () => json(1);
export const print = (json: (x: number) => void) => json(2);
`,
  ],
  "methods, signatures and attributes of the same name": [
    `import { json } from "@remix-run/node";
export const loader = () => json(1);
export interface Reply { json: string }
export const reply = { json() {} };
export const page = <Page json />;
`,
    `import { data as json } from "react-router";
export const loader = () => json(1);
export interface Reply { json: string }
export const reply = { json() {} };
export const page = <Page json />;
`,
  ],
  "an export from Remix": [
    `export { json, redirect } from "@remix-run/node";
`,
    `export { data as json, redirect } from "react-router";
`,
  ],
};

test.each(Object.entries(NAMES_KEPT))("json: %s", (_name, [before, after]) => {
  const { files, left } = rewrite({ "app/one.tsx": before });
  expect(sorted(files["app/one.tsx"])).toBe(sorted(after));
  expect(left).toEqual([{ file: "app/one.tsx", line: 1, what: JSON_IS_DATA }]);
});
