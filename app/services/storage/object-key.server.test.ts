import { expect, test } from "vitest";
import { createObjectKey } from "~/services/storage/object-key.server";

const parts = { userId: "u-1", folder: "a/b", contentType: "application/pdf" } as const;

test("a private key carries its owner, a public one does not", () => {
  expect(createObjectKey({ ...parts, access: "private" })).toMatch(
    /^private\/u-1\/a\/b\/[0-9a-f]{32}\.pdf$/,
  );
  expect(createObjectKey({ ...parts, access: "public" })).toMatch(
    /^public\/a\/b\/[0-9a-f]{32}\.pdf$/,
  );
});

test("no two keys are the same", () => {
  const keys = Array.from({ length: 1000 }, () => createObjectKey({ ...parts, access: "public" }));
  expect(new Set(keys).size).toBe(1000);
});
