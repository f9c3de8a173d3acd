import { expect, test } from "vitest";
import { constantJson } from "~/server/constant-document.server";

const ask = (headers: HeadersInit = {}) => new Request("http://localhost/", { headers });

test("the document is made at the first request, and once", async () => {
  let made = 0;
  const answer = constantJson(() => ({ made: ++made }));
  expect(made).toBe(0);
  expect(await answer(ask()).json()).toEqual({ made: 1 });
  expect(await answer(ask()).json()).toEqual({ made: 1 });
});

test("different documents have different ETags, and one document has the same ETag in every process", () => {
  const tagOf = (document: unknown) => constantJson(() => document)(ask()).headers.get("ETag");
  expect(tagOf({ a: 1 })).toBe(tagOf({ a: 1 }));
  expect(tagOf({ a: 1 })).not.toBe(tagOf({ a: 2 }));
});

test.each([
  ["*", 304],
  ["", 200],
  ['W/"another"', 200],
])("If-None-Match %j is a %i", (tag, status) => {
  const answer = constantJson(() => ({}));
  expect(answer(ask({ "If-None-Match": tag })).status).toBe(status);
});
