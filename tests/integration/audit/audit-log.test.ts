import { expect, test } from "vitest";
import type { Transaction } from "~/db.server";
import { disableUser } from "~/models/admin/account-actions.server";
import { adjustUser } from "~/models/admin/credit-actions.server";
import { AUDIT_ACTIONS } from "~/models/audit/audit-actions";
import { withAudit, writeAudit } from "~/models/audit/audit-log.server";
import { createUser, createUserWith, openLedger } from "../../helpers/credits";

const ledger = openLedger();
const actor = "operator:test";

const rowsOf = (userId: string) =>
  ledger.db.auditRow.findMany({ where: { subjectUserId: userId }, orderBy: { id: "asc" } });

test.each([
  "UPDATE audit_log SET reason = 'another'",
  "DELETE FROM audit_log",
  "TRUNCATE audit_log",
  "TRUNCATE users CASCADE",
])("%s is refused, also where replication would silence triggers", async (statement) => {
  const userId = await createUser(ledger.db);
  await disableUser({ actor, userId }, ledger.db);
  for (const role of ["origin", "replica"]) {
    const attempt = ledger.db.$transaction([
      ledger.db.$executeRawUnsafe(`SET LOCAL session_replication_role = ${role}`),
      ledger.db.$executeRawUnsafe(statement),
    ]);
    await expect(attempt).rejects.toThrow("refused");
  }
  expect(await rowsOf(userId)).toHaveLength(1);
});

test("an action that fails, or that changes nothing, leaves no row", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5);
  const failing = withAudit(async (transaction: Transaction) => {
    await transaction.user.update({ where: { id: userId }, data: { name: "Somebody" } });
    const entry = { actor, action: "user_disabled", subjectUserId: userId } as const;
    await writeAudit(entry, transaction);
    return Promise.reject(new Error("the connection broke"));
  }, db);
  await expect(failing).rejects.toThrow("the connection broke");
  const taken = { actor, userId, amount: -6, key: `too-much-${userId}`, reason: "a test" };
  expect(await adjustUser(taken, db)).toMatchObject({ status: "insufficient" });
  expect(await rowsOf(userId)).toEqual([]);
});

test("an action that fails when it commits leaves no row", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  await db.$executeRaw`CREATE TABLE late_refusals (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`;
  const failing = withAudit(async (transaction: Transaction) => {
    // The same key twice: refused at COMMIT, after the row was written.
    await transaction.$executeRaw`INSERT INTO late_refusals VALUES (1), (1)`;
    const entry = { actor, action: "user_disabled", subjectUserId: userId } as const;
    return { result: true, entry };
  }, db);
  await expect(failing).rejects.toThrow();
  expect(await rowsOf(userId)).toEqual([]);
});

test("of ten equal adjustments at once, one is made and has its row", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5);
  const adjusting = { actor, userId, amount: 7, key: `once-${userId}`, reason: "a gift" };
  const results = await Promise.all(Array.from({ length: 10 }, () => adjustUser(adjusting, db)));
  expect(results.map(({ status }) => status).toSorted()).toEqual([
    "adjusted",
    ...Array.from({ length: 9 }, () => "duplicate"),
  ]);
  expect(await rowsOf(userId)).toMatchObject([
    {
      ...{ actor, action: "ledger_adjusted", reason: "a gift", network: null },
      ...{ before: { balance: 5 }, after: { balance: 12 } },
    },
  ]);
});

test("every action of the log has a word for its reader", () => {
  expect(Object.keys(AUDIT_ACTIONS).filter((name) => !/^[a-z]+(_[a-z]+)+$/.test(name))).toEqual([]);
});
