import { expect, test } from "vitest";
import { readMessages } from "./messages";

const read = (text: string) => readMessages("en", { file: "en.json", text });

test("messages are known by their full key, text and line", () => {
  const { messages, problems } = read(
    '{\n  "a": {\n    "b": "One",\n    "c": { "d": "\\u00bf2" }\n  }\n}',
  );
  expect([...messages.byKey]).toEqual([
    ["a.b", { text: "One", line: 3 }],
    ["a.c.d", { text: "¿2", line: 4 }],
  ]);
  expect(problems).toEqual([]);
});

test.each([
  ["a key given twice", '{\n"a": "1",\n"a": "2"\n}', 3, "a is given twice: keep one"],
  ["a group given twice", '{"a": {"b": "1"},\n"a": {"c": "2"}}', 2, "a is given twice: keep one"],
  ["a number", '{"a": {\n"b": 1}}', 2, "a.b is neither a text nor a group of texts: correct it"],
  ["a list", '{"a": ["x"]}', 1, "a is neither a text nor a group of texts: correct it"],
  ["a file that is a list", "[]", 1, "is not a JSON object: put the messages into one"],
])("%s is a problem", (_name, json, line, text) => {
  expect(read(json).problems).toEqual([{ file: "en.json", line, text }]);
});

test("a file that is not JSON is one problem and holds no message", () => {
  const { messages, problems } = read('{"a": "1",}');
  expect(problems.map(({ text }) => text)).toEqual([expect.stringMatching(/^is not JSON \(/)]);
  expect(messages.byKey.size).toBe(0);
});
