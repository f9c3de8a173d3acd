import { expect, test } from "vitest";
import { asAppError } from "~/utils/app-error";
import { noteConnectionError } from "~/utils/database-away";

const withName = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

test.each([
  [
    withName("PrismaClientKnownRequestError", "Can't reach database server", { code: "P1001" }),
    true,
  ],
  [
    withName("PrismaClientKnownRequestError", "Raw query failed. Code: `57P01`.", {
      code: "P2010",
    }),
    true,
  ],
  [withName("DriverAdapterError", "DatabaseNotReachable"), true],
  [withName("error", "terminating connection", { severity: "FATAL", code: "57P01" }), true],
  [withName("error", "duplicate key", { severity: "ERROR", code: "23505" }), false],
  [withName("PrismaClientKnownRequestError", "Unique constraint failed", { code: "P2002" }), false],
  [withName("Error", "connect ECONNREFUSED 127.0.0.1:9000", { code: "ECONNREFUSED" }), false],
  [withName("TypeError", "x is not a function"), false],
])("%s says that the database is away: %s", (error, isAway) => {
  expect(asAppError(error)?.code ?? null).toBe(isAway ? "busy" : null);
});

test("what may have been changed before the database was lost is not called undone", () => {
  const error = withName("DriverAdapterError", "DatabaseNotReachable");
  const unknown = asAppError(error, { mayChange: true });
  expect(unknown).toMatchObject({ code: "outcome_unknown", status: 503 });
  expect(unknown?.publicMessage).toContain("may have been done");
  // A request that waited for a connection has sent nothing on it.
  const waited = withName("Error", "timeout exceeded when trying to connect");
  expect(asAppError(waited, { mayChange: true })?.code).toBe("busy");
});

test("an error of the database's own connection is told from those of others by its origin", () => {
  const error = withName("Error", "connect ECONNREFUSED 127.0.0.1:5432", { code: "ECONNREFUSED" });
  expect(asAppError(error)).toBeNull();
  expect(noteConnectionError(error)).toBe(error);
  expect(asAppError(error)?.headers).toEqual({ "Retry-After": "5" });
});
