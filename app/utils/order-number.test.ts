import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { idsOfNumber, orderNumber } from "~/utils/order-number";

test("an order's number is short, and begins as its id does", () => {
  expect(orderNumber("4f0c7a0e-6a4c-4a39-9d0e-0a5b2f1f8f9d")).toBe("4F0C-7A0E-6A4C");
});

test("a number leads to the ids that have it, however it is spelled, and nothing else is a number", () => {
  const id = randomUUID();
  const number = orderNumber(id);
  for (const text of [number, number.toLowerCase(), number.replaceAll("-", "")]) {
    const { first = "", last = "" } = idsOfNumber(text) ?? {};
    expect([orderNumber(first), orderNumber(last)]).toEqual([number, number]);
    expect([first, id, last].toSorted()).toEqual([first, id, last]);
  }
  for (const text of ["", id, `${number}0`, number.slice(1), "4F0C 7A0E 6A4C", "GF0C-7A0E-6A4C"])
    expect([text, idsOfNumber(text)]).toEqual([text, null]);
});
