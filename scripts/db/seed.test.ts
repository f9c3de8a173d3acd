import { expect, test } from "vitest";
import { isLocalDatabase } from "./seed";

test.each([
  "postgres://u:p@localhost:5432/app",
  "postgresql://127.0.0.1/app",
  "postgres://u:p@[::1]:5432/app",
  "postgres:///app?host=/var/run/postgresql",
  "postgres://%2Fvar%2Frun%2Fpostgresql/app",
  "postgres:///app",
])("%s is a database on this machine", (url) => {
  expect(isLocalDatabase(url, {})).toBe(true);
});

test.each([
  "postgres://u:p@db.example.com/app",
  "postgres://u:p@10.0.0.5/app",
  "postgres://localhost/app?host=db.example.com",
  "postgres://localhost.example.com/app",
])("%s is not", (url) => {
  expect(isLocalDatabase(url, {})).toBe(false);
});

test("a database without a host is where PGHOST says", () => {
  expect(isLocalDatabase("postgres:///app", { PGHOST: "db.example.com" })).toBe(false);
});
