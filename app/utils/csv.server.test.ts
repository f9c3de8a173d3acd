import { expect, test } from "vitest";
import { csvLine, csvPieces } from "~/utils/csv.server";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A1"])(
  "%j can't run as a formula",
  (text) => expect(csvLine([text])).toMatch(/^"?'/),
);

test("a negative number stays a number", () => {
  expect(csvLine([-10, 720])).toBe("-10,720\r\n");
});

test("quotes, commas and line breaks stay within their cell", () => {
  expect(csvLine(['a "b"', "c,d", "e\nf", null, "plain"])).toBe(
    '"a ""b""","c,d","e\nf",,plain\r\n',
  );
});

test("a file is made while it is read, and begins with its columns", async () => {
  let made = 0;
  async function* rows() {
    for (; made < 10_000; made += 1) yield ["x".repeat(100), made];
  }
  const pieces = csvPieces(["text", "number"], rows());
  const first = await pieces.next();
  expect(String(first.value)).toMatch(/^\uFEFFtext,number\r\nx{100},0\r\n/);
  expect(made).toBeLessThan(1_000);
  let length = 1;
  for await (const piece of pieces) length += piece.split("\r\n").length - 1;
  expect(made).toBe(10_000);
  expect(length).toBeGreaterThan(9_000);
});
