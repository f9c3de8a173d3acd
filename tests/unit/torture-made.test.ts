import { expect, test } from "vitest";
import { newPerson } from "../torture/act/person";
import { newRun } from "../torture/act/runs";
import { judgeMade } from "../torture/judge/made";
import { addMade, type Made, NOTHING_MADE, readMade } from "../torture/made";

const line = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const piece = (content: string) => line({ choices: [{ index: 0, delta: { content } }] });
const usage = (prompt_tokens: number, completion_tokens: number) =>
  line({ choices: [], usage: { prompt_tokens, completion_tokens } });

test.each([
  ["fal's", { images: [{}, {}] }, [2]],
  ["Replicate's", { id: "a", output: ["one", "two", "three"] }, [3]],
  ["OpenAI's", { created: 1, data: [{ b64_json: "" }] }, [1]],
  ["one that goes on", { id: "a", output: null }, []],
  ["a refusal", { detail: [{ msg: "no" }] }, []],
])("images are counted in %s result", (_whose, body, images) => {
  expect(readMade(JSON.stringify(body))).toEqual({ ...NOTHING_MADE, images });
});

test("a text is counted by its pieces, as far as it came, and by its report", () => {
  const begun = piece("") + piece("Sea") + piece(" wind");
  expect(readMade(begun)).toEqual({ images: [], pieces: 2, reports: [] });
  expect(readMade(`${begun + usage(10, 2)}data: [DONE]\n\n`)).toMatchObject({ reports: [12] });
  expect(readMade(begun + usage(-7, 1e300))).toMatchObject({ pieces: 2, reports: [] });
  expect(readMade(begun + usage(0, 0))).toMatchObject({ reports: [] });
});

function textRun(units: number, finishReason: string) {
  const person = newPerson("one", "one@example.com", "10.0.0.1");
  const run = newRun(person, "text", { prompt: "rain", rest: {}, byKey: false, fault: null });
  return Object.assign(run, { outcome: "charged", units, finishReason });
}

/** Tokens of that prompt. */
const INPUT = Math.ceil(JSON.parse(textRun(1, "stop").body).prompt.length / 4);

test.each([
  ["what was reported", 500, "stop", true],
  ["less, though it was reported", INPUT + 3, "stop", false],
  ["more than was reported", 501, "stop", false],
  ["what came until the reader left", INPUT + 3, "interrupted", true],
  ["more than came until the reader left", INPUT + 4, "interrupted", false],
])("a text pays for %s", (_what, units, reason, isRight) => {
  const made = { images: [], pieces: 3, reports: [500] };
  expect(judgeMade(textRun(units, reason), made)).toHaveLength(isRight ? 0 : 1);
});

test("a text that its provider didn't end at the limit pays for what came until then", () => {
  const made = { images: [], pieces: 40, reports: [500] };
  const run = Object.assign(textRun(INPUT + 10, "length"), { fault: "no_limit" });
  expect(judgeMade(run, made)).toEqual([]);
  expect(judgeMade(Object.assign(run, { fault: null }), made)).toHaveLength(1);
});

test("a text without a report that can be true is counted, however it ended", () => {
  const made = { images: [], pieces: 3, reports: [] };
  expect(judgeMade(textRun(INPUT + 3, "stop"), made)).toEqual([]);
  expect(judgeMade(textRun(INPUT + 4, "stop"), made)).toHaveLength(1);
});

test("images are paid up to the largest result", () => {
  const run = Object.assign(textRun(3, "stop"), { action: "image" as const });
  const made = [2, 3]
    .map((images): Made => ({ ...NOTHING_MADE, images: [images] }))
    .reduce(addMade);
  expect(judgeMade(run, made)).toEqual([]);
  expect(judgeMade(Object.assign(run, { units: 4 }), made)).toHaveLength(1);
});
