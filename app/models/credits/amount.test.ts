import { expect, test } from "vitest";
import { MOST_CREDITS, requireCredits } from "./amount";

test.each([1, 10, MOST_CREDITS])("%d is an amount of credits", (amount) => {
  expect(() => requireCredits(amount)).not.toThrow();
});

test.each([0, -1, 0.5, MOST_CREDITS + 1, Number.NaN, Number.POSITIVE_INFINITY])(
  "%d is not an amount of credits",
  (amount) => {
    expect(() => requireCredits(amount)).toThrow(RangeError);
  },
);
