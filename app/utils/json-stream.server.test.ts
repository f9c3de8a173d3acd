import { expect, test } from "vitest";
import { jsonPieces } from "~/utils/json-stream.server";

async function* count(to: number) {
  for (let n = 0; n < to; n++) yield { n };
}

async function textOf(value: unknown): Promise<string> {
  let text = "";
  for await (const piece of jsonPieces(value)) text += piece;
  return text;
}

test("the pieces are the value's JSON, with async iterables as arrays", async () => {
  const at = new Date("2026-01-02T03:04:05.678Z");
  const value = {
    at,
    none: null,
    left: undefined,
    rows: count(2),
    deep: { empty: count(0), list: [1, { a: 'x"\n' }] },
  };
  expect(JSON.parse(await textOf(value))).toEqual({
    at: at.toISOString(),
    none: null,
    rows: [{ n: 0 }, { n: 1 }],
    deep: { empty: [], list: [1, { a: 'x"\n' }] },
  });
});

test("a reader that stops ends the rows, and no more than one piece was fetched", async () => {
  let asked = 0;
  let ended = false;
  async function* rows() {
    try {
      for (;;) yield { filler: "x".repeat(1000), asked: asked++ };
    } finally {
      ended = true;
    }
  }
  const pieces = jsonPieces({ rows: rows() });
  await pieces.next();
  await pieces.return(undefined);
  expect(ended).toBe(true);
  expect(asked).toBeLessThan(20);
});

test("failing rows fail the text: a truncated text never looks complete", async () => {
  async function* rows() {
    yield 1;
    throw new Error("the database is gone");
  }
  await expect(textOf({ rows: rows() })).rejects.toThrow("the database is gone");
});
