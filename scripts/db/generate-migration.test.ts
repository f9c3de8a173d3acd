import { expect, test } from "vitest";
import { requireMigrationName } from "./generate-migration";

test.each(["init", "add_orders_status", "v2", "a".repeat(60)])("%s is a name", (name) => {
  expect(() => requireMigrationName(name)).not.toThrow();
});

test.each([
  "",
  "Add",
  "add-orders",
  "add orders",
  "_a",
  "a_",
  "a__b",
  "../a",
  "a.sql",
  "é",
  "a\n",
  "a".repeat(61),
])("%j is no name", (name) => {
  expect(() => requireMigrationName(name)).toThrow("snake_case");
});
