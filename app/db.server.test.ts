import { expectTypeOf, test } from "vitest";
import type { Database, DatabaseOrTransaction, Transaction } from "~/db.server";

// Checked by the compiler: `npm run typecheck` fails where one of these does not hold.
test("a plain client is no transaction, so that no lock is taken outside one", () => {
  expectTypeOf<Database>().not.toExtend<Transaction>();
  expectTypeOf<Database>().toExtend<DatabaseOrTransaction>();
  expectTypeOf<Parameters<Parameters<Database["$transaction"]>[0]>[0]>().toExtend<Transaction>();
});
