import { expect, test } from "vitest";
import { z } from "zod";
import { errorMessage } from "~/utils/error-message";
import { serializeError } from "~/utils/serialize-error";

const ADDRESS = "victim@example.com";

/** Like pg's: the row is in the detail, and the message names the constraint. */
function postgresError(code: string, message: string) {
  return Object.assign(new Error(message), {
    severity: "ERROR",
    code,
    name: "error",
    detail: `Failing row contains (1, ${ADDRESS}, $argon2id$v=19).`,
    where: `SQL statement with ${ADDRESS}`,
    constraint: "users_name_check",
    table: "users",
  });
}

/** Like the one Prisma's client and its driver adapter make. */
function prismaError(originalCode: string, originalMessage: string) {
  const adapterError = Object.assign(new Error(originalMessage), {
    name: "DriverAdapterError",
    cause: { kind: "postgres", originalCode, originalMessage, detail: `row ${ADDRESS}` },
  });
  return Object.assign(
    new Error(
      `\nInvalid \`db.user.create()\` invocation in\nx.ts:1\n\nRaw query failed: ${ADDRESS}`,
    ),
    {
      name: "PrismaClientKnownRequestError",
      code: "P2010",
      meta: { modelName: "User", driverAdapterError: adapterError, target: [ADDRESS] },
    },
  );
}

test("for a database error only the code, constraint and message without the row are kept", () => {
  const error = postgresError("23514", 'new row violates check constraint "users_name_check"');
  const { stack, ...rest } = serializeError(error);
  expect(rest).toEqual({
    type: "Error",
    code: "23514",
    message: 'new row violates check constraint "users_name_check"',
    constraint: "users_name_check",
  });
  expect(stack).toMatch(/^Error: new row violates .*\n\s+at .*serialize-error\.test\.ts/);
});

test("the value quoted by a data exception is removed", () => {
  const quoted = 'invalid input syntax for type uuid: "a "secret" prompt"';
  expect(errorMessage(postgresError("22P02", quoted))).toBe(
    'invalid input syntax for type uuid: "[value]"',
  );
  expect(errorMessage(prismaError("22P02", quoted))).not.toContain("secret");
});

test("for a Prisma error the model and the database's code are kept, and no argument", () => {
  const serialized = serializeError(prismaError("23514", 'violates check constraint "x"'));
  expect(serialized).toMatchObject({
    type: "PrismaClientKnownRequestError",
    code: "P2010",
    modelName: "User",
    driverCode: "23514",
    driverKind: "postgres",
    message: 'violates check constraint "x"',
  });
  expect(JSON.stringify(serialized)).not.toContain(ADDRESS);
});

test("the arguments that Prisma prints for an invalid query are left out", () => {
  const message = `\nInvalid \`db.user.create()\` invocation:\n\n{ data: { name: "a secret" } }\n\nUnknown argument \`nam\`.`;
  const error = Object.assign(new Error(message), { name: "PrismaClientValidationError" });
  expect(errorMessage(error)).toBe("Invalid `db.user.create()` invocation: refused by Prisma");
});

test("Prisma's fixed texts are kept", () => {
  const message = "\nInvalid `db.user.update()` invocation:\n\n\nNo record was found.";
  const error = Object.assign(new Error(message), {
    name: "PrismaClientKnownRequestError",
    code: "P2025",
  });
  expect(errorMessage(error)).toBe(
    "Invalid `db.user.update()` invocation: No record was found. (P2025)",
  );
});

test("for a zod error the fields and codes are kept", () => {
  const { error } = z
    .object({ email: z.email({ error: ({ input }) => `not ${String(input)}` }) })
    .safeParse({ email: "a secret" });
  expect(errorMessage(error)).toBe("email: invalid_format");
});

test("text that is not JSON is not quoted", () => {
  try {
    JSON.parse('{"password": secret}');
  } catch (error) {
    expect(errorMessage(error)).toBe("the text is not valid JSON");
    expect(JSON.stringify(serializeError(error))).not.toContain("secret");
  }
  expect.assertions(2);
});

test("any other field of a library's error is left out, also of its causes", () => {
  const cause = Object.assign(new Error("socket hang up"), { code: "ECONNRESET", body: ADDRESS });
  const error = Object.assign(new Error("the mail was not taken", { cause }), {
    response: ADDRESS,
    rejected: [ADDRESS],
  });
  const serialized = serializeError(error);
  expect(Object.keys(serialized)).toEqual(["type", "message", "stack", "cause"]);
  expect(serialized.cause).toMatchObject({ code: "ECONNRESET", message: "socket hang up" });
  expect(JSON.stringify(serialized)).not.toContain(ADDRESS);
});

test("a multi-line message leaves nothing in the stack, even lines that look like frames", () => {
  const error = new Error(`first ${ADDRESS}\n    at ${ADDRESS} (x.ts:1:1)\nlast`);
  expect(serializeError(error).stack).not.toContain(ADDRESS);
});

test("a cycle of causes ends", () => {
  const error = new Error("round");
  error.cause = error;
  let depth = 0;
  for (let at = serializeError(error).cause; at; at = at.cause) depth += 1;
  expect(depth).toBe(4);
});

test.each([
  ["a text", `plain ${ADDRESS}`, { type: "string", message: "plain [address]" }],
  [
    "a response",
    { status: 503, data: ADDRESS },
    { type: "object", message: "a response with status 503" },
  ],
  ["nothing", undefined, { type: "undefined", message: "not an error" }],
])("%s that was thrown instead of an error is described", (_what, thrown, serialized) => {
  expect(serializeError(thrown)).toEqual(serialized);
});
