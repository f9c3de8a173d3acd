import { expect, test } from "vitest";
import { allowNegative } from "./adjust";

test.each([
  [
    ["a@b.c", "50", "--key", "k"],
    ["a@b.c", "50", "--key", "k"],
  ],
  [
    ["a@b.c", "-50", "--key", "k"],
    ["a@b.c", "--key", "k", "--", "-50"],
  ],
  [
    ["--key", "k", "--", "a@b.c", "-50"],
    ["--key", "k", "--", "a@b.c", "-50"],
  ],
  [["-h"], ["-h"]],
])("%j is read as %j", (args, read) => {
  expect(allowNegative(args)).toEqual(read);
});
