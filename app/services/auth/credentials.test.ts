import { expect, test } from "vitest";
import { email } from "~/services/auth/credentials";

test("an address gets lower case", () => {
  expect(email.parse(" Kelvin@Example.COM ")).toBe("kelvin@example.com");
});

test.each([
  "\u212Aelvin@example.com",
  "ſam@example.com",
  "ı@example.com",
  "ａ@example.com",
  "é@example.com",
])("%j is not one: its letters only look like, or become, others", (text) =>
  expect(email.safeParse(text).success).toBe(false),
);
