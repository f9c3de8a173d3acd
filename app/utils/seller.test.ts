import { expect, test } from "vitest";
import { readSeller } from "~/utils/seller";

test("an address has a line for each of its parts, and none for an empty one", () => {
  const address = "1 High Street; London W1A 1AA;;United Kingdom; ";
  expect(readSeller({ name: "Shop Ltd", address, taxId: "GB 123" })).toEqual({
    name: "Shop Ltd",
    address: ["1 High Street", "London W1A 1AA", "United Kingdom"],
    taxId: "GB 123",
  });
});

test("a name alone is a seller, and an address alone is none", () => {
  const nothing = { address: undefined, taxId: undefined };
  expect(readSeller({ ...nothing, name: "Shop Ltd" })).toEqual({
    ...{ name: "Shop Ltd", address: [], taxId: null },
  });
  expect(readSeller({ ...nothing, name: undefined, address: "1 High Street" })).toBeNull();
});
