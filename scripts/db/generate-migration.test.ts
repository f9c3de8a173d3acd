import { expect, test } from "vitest";
import { nextTime, requireMigrationName } from "./generate-migration";

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

test.each([
  [[], "20261125093012"],
  [["0018_confirmed_ends.sql", "20260101000000_a.sql"], "20261125093012"],
  [["20261231235959_ahead_of_the_clock.sql"], "20270101000000"],
])("after %j a migration of 2026-11-25 09:30:12 is named %s", (names, time) => {
  expect(nextTime(names, new Date("2026-11-25T09:30:12.345Z"))).toBe(time);
});
