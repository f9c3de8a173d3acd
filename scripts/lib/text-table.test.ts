import { expect, test } from "vitest";
import { textTable } from "./text-table";

test("cells stand in columns, numbers to the right, without space at the end", () => {
  expect(
    textTable([
      ["row", "amount", "note"],
      ["1", "+50", "a gift"],
      ["12", "-5", ""],
    ]),
  ).toEqual(["row  amount  note", "  1     +50  a gift", " 12      -5"]);
});
