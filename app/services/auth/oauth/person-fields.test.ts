import { expect, test } from "vitest";
import { personName, providerEmail } from "~/services/auth/oauth/person-fields";

test("a provider's address is read as our own forms read it", () => {
  expect(providerEmail(" Ada@Example.COM ")).toBe("ada@example.com");
});

test.each([[undefined], [""], ["ada"], [`${"a".repeat(250)}@example.com`]])(
  "%s is no address of an account",
  (email) => expect(providerEmail(email)).toBeNull(),
);

test("a provider's name is trimmed", () => {
  expect(personName("  Ada Lovelace ")).toBe("Ada Lovelace");
});

test.each([[null], [undefined], ["   "], ["a".repeat(101)], ["Ada\u202Eecalevol"], ["Ada\nBcc"]])(
  "%j is no name for a profile",
  (name) => expect(personName(name)).toBeNull(),
);
