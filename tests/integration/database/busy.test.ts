import { expect, test } from "vitest";
import { connectDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { asAppError } from "~/utils/app-error";
import { createTestDatabase } from "../../helpers/test-database";

test("whoever has no free connection is busy: a model's read, a raw statement, a transaction, a prepared statement", async () => {
  const one = connectDb(await createTestDatabase(), 1);
  await one.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      const refused = await Promise.all(
        [
          one.user.count(),
          one.$queryRaw`SELECT 1`,
          one.$transaction((other) => other.user.count()),
          queryPrepared("one", Prisma.sql`SELECT 1`, one),
        ].map((asked: Promise<unknown>) => asked.catch(asAppError)),
      );
      for (const error of refused)
        expect(error).toMatchObject({ code: "busy", headers: { "Retry-After": "5" } });
    },
    { timeout: 60_000 },
  );
  await one.$disconnect();
});
