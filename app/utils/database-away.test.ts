import { expect, test } from "vitest";
import { asAppError } from "~/utils/app-error";
import { noteConnectionError, noteLostConnection } from "~/utils/database-away";

// Real losses: tests/integration/database/lost-connection.test.ts.

const withName = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

test.each([
  [withName("error", "terminating connection", { severity: "FATAL", code: "57P01" }), true],
  [withName("error", "duplicate key", { severity: "ERROR", code: "23505" }), false],
  [withName("PrismaClientKnownRequestError", "Operation has timed out", { code: "P1008" }), true],
  [withName("PrismaClientKnownRequestError", "Unique constraint failed", { code: "P2002" }), false],
  [withName("Error", "connect ECONNREFUSED 127.0.0.1:9000", { code: "ECONNREFUSED" }), false],
  [withName("Error", "write EPIPE", { code: "EPIPE" }), false],
  [withName("TypeError", "x is not a function"), false],
])("%s says that the database is away: %s", (error, isAway) => {
  expect(asAppError(error)?.code ?? null).toBe(isAway ? "busy" : null);
});

const SENTENCES = [
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "timeout exceeded when trying to connect",
];

test.each(SENTENCES)("“%s” is the database's where its driver or Prisma says it", (sentence) => {
  const call = "\nInvalid `prisma.$queryRaw()` invocation:\n\n\n";
  for (const error of [
    new Error(sentence),
    withName("PrismaClientUnknownRequestError", `${call}${sentence}`),
  ])
    expect([error.name, asAppError(error)?.code]).toEqual([error.name, "busy"]);
  // The texts of a store's and a provider's errors come from outside.
  for (const error of [
    withName("InternalError", sentence, { $fault: "server" }),
    withName("StripeAPIError", `No such charge:\n${sentence}`),
    new Error(`the store answered: ${sentence}`),
    new Error(`the store answered:\n${sentence}`),
  ])
    expect([error.name, asAppError(error)]).toEqual([error.name, null]);
});

test("what may have been changed before the database was lost is not called undone", () => {
  const error = withName("DriverAdapterError", "ConnectionClosed", {
    cause: { kind: "ConnectionClosed" },
  });
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
  const ended = withName("Error", "decryption failed", { code: "ERR_SSL_DECRYPTION_FAILED" });
  expect(asAppError(ended)).toBeNull();
  noteLostConnection(ended);
  expect(asAppError(ended)?.code).toBe("busy");
});
