import { expect, test } from "vitest";
import { checkSamples, type Interface } from "./check-samples";
import { parseDoc } from "./markdown";

const ITEM = {
  type: "object",
  properties: { id: { type: "string", format: "uuid" }, n: { type: "integer" } },
  required: ["id", "n"],
  additionalProperties: false,
};
const PROBLEM = {
  type: "object",
  properties: { title: { type: "string" }, status: { type: "integer" }, code: { type: "string" } },
  required: ["title", "status", "code"],
};
const ref = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });

const API: Interface = {
  components: { schemas: { Item: ITEM, Problem: PROBLEM } },
  paths: {
    "/api/items": {
      post: {
        parameters: [{ in: "header", name: "Idempotency-Key" }],
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
            },
          },
        },
        responses: {
          200: { description: "Made.", content: { "application/json": ref("Item") } },
          409: {
            description: "Conflict: `taken`",
            content: { "application/problem+json": ref("Problem") },
          },
        },
      },
    },
    "/api/items/{itemId}": {
      get: {
        parameters: [
          { in: "path", name: "itemId" },
          { in: "query", name: "cursor" },
        ],
        responses: { 200: { description: "It.", content: { "application/json": ref("Item") } } },
      },
      delete: { responses: { 204: { description: "Gone." } } },
    },
  },
};

const ID = "6f1c0e0a-3c39-4b67-9f55-0f4a7f1d2c3b";
const fence = (language: string, lines: string[]) => [`\`\`\`${language}`, ...lines, "```", ""];
const http = (...lines: string[]) => fence("http", lines);
const JSON_TYPE = "Content-Type: application/json";
const PROBLEM_TYPE = "Content-Type: application/problem+json";

const post = (body: string, ...headers: string[]) =>
  http("POST /api/items", JSON_TYPE, ...headers, "", body);
const item = (body: string) => http("HTTP/1.1 200 OK", JSON_TYPE, "", body);

/** Returns a document's problems, without missing samples. */
function problemsOf(...blocks: string[][]): string[] {
  const doc = parseDoc({ file: "docs/a.md", text: blocks.flat().join("\n") });
  return checkSamples({ docs: [doc], api: API })
    .filter(({ file }) => file === "docs/a.md")
    .map(({ line, text }) => `${line} ${text}`);
}

test("requests and answers that the interface takes and gives are fine", () => {
  expect(
    problemsOf(
      post('{"n": 1}', "Idempotency-Key: a"),
      item(`{"id": "${ID}", "n": 1}`),
      http(
        "HTTP/1.1 409 Conflict",
        PROBLEM_TYPE,
        "",
        '{"title":"Conflict","status":409,"code":"taken"}',
      ),
      http(`GET /api/items/${ID}?cursor=a HTTP/1.1`, "Cookie: session=…"),
      item('{"id": "…", "n": 1}'),
      http(`DELETE /api/items/${ID}`),
      http("HTTP/1.1 204 No Content"),
    ),
  ).toEqual([]);
});

test.each<[what: string, problem: string, ...blocks: string[][]]>([
  ["a route that is not there", "2 GET /api/item: there is no such route", http("GET /api/item")],
  [
    "another method",
    "2 PUT /api/items: the route does not take this method",
    http("PUT /api/items"),
  ],
  ["a body that is missing", "2 POST /api/items: the body is missing", http("POST /api/items")],
  [
    "a body of the wrong type",
    "2 POST /api/items: n: Invalid input: expected int, received number",
    post('{"n": 1.5}'),
  ],
  ["a field too many", '2 POST /api/items: Unrecognized key: "m"', post('{"n": 1, "m": 2}')],
  ["no JSON", "2 POST /api/items: is not JSON", post("{n: 1}")],
  [
    "no content type",
    "2 POST /api/items: the body needs Content-Type",
    http("POST /api/items", "", '{"n": 1}'),
  ],
  [
    "a header that means nothing",
    "2 POST /api/items: the header x-key means nothing there",
    post('{"n": 1}', "X-Key: a"),
  ],
  [
    "a parameter that means nothing",
    "2 GET /api/items/1?page=2: there is no query parameter page",
    http("GET /api/items/1?page=2"),
  ],
  [
    "a body where none is taken",
    "2 DELETE /api/items/1: it takes no body",
    http("DELETE /api/items/1", JSON_TYPE, "", "{}"),
  ],
  [
    "an answer that lacks a field",
    "9 POST /api/items: n: Invalid input",
    post('{"n": 1}'),
    item(`{"id": "${ID}"}`),
  ],
  [
    "an answer with a field of another form",
    "9 POST /api/items: id: Invalid UUID",
    post('{"n": 1}'),
    item('{"id": "7", "n": 1}'),
  ],
  [
    "a status that is not documented",
    "9 POST /api/items: status 201 is not documented",
    post('{"n": 1}'),
    http("HTTP/1.1 201 Created"),
  ],
  [
    "an answer of another type",
    "9 POST /api/items: status 409 has the content type application/problem+json",
    post('{"n": 1}'),
    http("HTTP/1.1 409 Conflict", JSON_TYPE, "", "{}"),
  ],
  [
    "a code of another status",
    "9 POST /api/items: gone is not a code of status 409",
    post('{"n": 1}'),
    http(
      "HTTP/1.1 409 Conflict",
      PROBLEM_TYPE,
      "",
      '{"title":"Conflict","status":409,"code":"gone"}',
    ),
  ],
  [
    "a body after 204",
    "6 DELETE /api/items/1: status 204 has no body",
    http("DELETE /api/items/1"),
    http("HTTP/1.1 204 No Content", "", "{}"),
  ],
])("%s is a problem", (_what, problem, ...blocks) => {
  expect(problemsOf(...blocks)).toEqual([expect.stringContaining(problem)]);
});

test("curl commands are read like requests, and what they print like answers", () => {
  const good = fence("sh", [
    "curl -b jar http://localhost:3000/api/items -H 'Content-Type: application/json' \\",
    '  -d "{\\"n\\":$(wc -c < cat.png)}"',
    '# → {"id":"…", …}; it is there now',
    "",
    "curl -X PUT --data-binary @cat.png '<uploadUrl>'",
    "curl -c jar -d email=me@example.com http://localhost:3000/en/sign-up",
  ]);
  expect(problemsOf(good)).toEqual([]);
  const bad = fence("sh", [
    "# a comment",
    "curl http://localhost:3000/api/nothing",
    `curl https://example.com/api/items -H 'Content-Type: application/json' -d '{"m":1}'`,
    '# → {"id":"…","name":"x", …}',
    "curl -X PATCH $SITE/api/items/1",
  ]);
  expect(problemsOf(bad)).toEqual([
    "3 GET /api/nothing: there is no such route",
    expect.stringMatching(/^4 POST \/api\/items: n: Invalid input/),
    '4 POST /api/items: Unrecognized key: "m"',
    '5 POST /api/items: Unrecognized key: "name"',
    "6 PATCH /api/items/1: the route does not take this method",
  ]);
});

test("an operation without request and answer in docs/http-api.md is a problem there", () => {
  const text = [
    ...post('{"n": 1}'),
    ...item(`{"id": "${ID}", "n": 1}`),
    ...http("GET /api/items/1"),
  ];
  const doc = parseDoc({ file: "docs/http-api.md", text: text.join("\n") });
  expect(checkSamples({ docs: [doc], api: API }).map((problem) => problem.text)).toEqual([
    "shows no request and response of GET /api/items/{itemId}: add them as two http blocks",
    "shows no request and response of DELETE /api/items/{itemId}: add them as two http blocks",
  ]);
});
