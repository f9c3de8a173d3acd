import { expect, test } from "vitest";
import { parseJsonBody } from "~/server/request/parse-json-body.server";

const parse = (text: string) => parseJsonBody(new TextEncoder().encode(text));
const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])));

test("JSON values are parsed", () => {
  expect(parse('{"a":[1,"b,[{"]}')).toEqual({ a: [1, "b,[{"] });
  expect(parse("1")).toBe(1);
});

test.each([",", "[", "{"])("a prompt of 20,000 times %j is accepted", (separator) => {
  const body = { prompt: separator.repeat(20_000) };
  expect(parse(JSON.stringify(body))).toEqual(body);
});

test("a hundred fields are accepted and one more is refused", () => {
  expect(Object.keys(parse(fields(100)) as object)).toHaveLength(100);
  expect(() => parse(fields(101))).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test.each([
  ["nested arrays", "[".repeat(500_000) + "]".repeat(500_000)],
  ["nested objects", '{"a":'.repeat(200_000)],
  ["fields", fields(80_000)],
])("a megabyte of %s is refused unparsed", (_what, text) => {
  expect(() => parse(text)).toThrow(/too many fields/);
});

test.each(["", "{", "nope", "\u{FEFF}{}x"])("%j is no JSON", (text) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ status: 400 }));
});
