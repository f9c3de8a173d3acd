import { expect, test } from "vitest";
import { openApiDocument } from "~/server/openapi/document.server";
import { readText } from "../lib/read-files";
import { HTTP_DOC, withOperations } from "./http-doc";

const API = openApiDocument(new URL("http://localhost:3000"));
const PAGE = readText(HTTP_DOC).text;

test("the routes are written between two comments, and what stands around them is kept", () => {
  const [head = "", tail = ""] = [PAGE.slice(0, 200), PAGE.slice(-200)];
  const stale = PAGE.replace("### GET /healthz", "### GET /health");
  expect(stale).not.toBe(PAGE);
  const written = withOperations(stale, API);
  expect(written).toBe(withOperations(PAGE, API));
  expect([written.startsWith(head), written.endsWith(tail)]).toEqual([true, true]);
});

test("it has every operation with its own errors, and leaves those of all to the page's head", () => {
  const written = withOperations(PAGE, API);
  const headings = [...written.matchAll(/^### ([A-Z]+ \/\S+)$/gm)].map(([, heading]) => heading);
  const operations = Object.entries(API.paths ?? {}).flatMap(([address, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${address}`),
  );
  expect(headings.sort()).toEqual(operations.sort());
  const errors = [...written.matchAll(/^- Errors: (.*)$/gm)].map(([, list]) => list);
  expect(errors).toContain(
    "401 `unauthenticated`, 401 `invalid_api_key`, 403 `key_not_allowed`, 404 `run_not_found`, 429 `rate_limited`",
  );
  expect(errors.join()).not.toMatch(/internal_error|cross_origin|invalid_host/);
});

test("a page without the comments is refused", () => {
  expect(() => withOperations("# Page", API)).toThrow("lacks the comment");
});
