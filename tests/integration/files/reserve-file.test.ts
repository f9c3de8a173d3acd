import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reserveFile } from "~/models/files/quota.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { countStatements } from "../../helpers/count-statements";
import { createUser, openLedger } from "../../helpers/credits";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";

setUpBillingEnv({ STORAGE_QUOTA_MB: "1" });
const ledger = openLedger();

const MEGABYTE = 1024 * 1024;

const uploadOf = (userId: string, size = 1) => ({
  userId,
  key: `private/${randomUUID()}.png`,
  filename: "a.png",
  contentType: "image/png" as const,
  size,
  access: "private" as const,
});

const countFiles = (userId: string) => ledger.db.file.count({ where: { userId } });

test("an upload is checked and recorded by one statement, with what was declared", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const upload = uploadOf(userId, 68);
  const { result, statements } = await countStatements(() => reserveFile(upload, db));
  expect(statements).toBe(1);
  const { userId: _, ...declared } = upload;
  const stored = await db.file.findFirstOrThrow({ where: { userId } });
  expect(result).toEqual({
    status: "reserved",
    file: {
      ...declared,
      id: stored.id,
      createdAt: stored.createdAt,
      status: "pending",
      width: null,
      height: null,
      thumbnailWidths: [],
    },
  });
  expect(stored).toMatchObject({ ...upload, status: "pending", thumbnailBytes: 0 });
});

test.each(["commit", "rollback"] as const)(
  "an upload waits for one in progress, and its space is counted as that one ends: %s",
  async (how) => {
    const { db } = ledger;
    const userId = await createUser(db);
    const size = MEGABYTE / 2 + 1;
    const first = await holdTransaction(db, (transaction) =>
      reserveFile(uploadOf(userId, size), transaction),
    );
    const upload = uploadOf(userId, size);
    const second = reserveFile(upload, db);
    await untilWaiting(db);
    await first[how]();
    const used = how === "commit" ? size : 0;
    expect(await second).toMatchObject(
      used > 0 ? { status: "quota_exceeded", used, required: size } : { status: "reserved" },
    );
    expect(await countFiles(userId)).toBe(1);
  },
);

test("an upload that is larger than the quota is refused with both figures", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  expect(await reserveFile(uploadOf(userId, MEGABYTE + 1), db)).toEqual({
    status: "quota_exceeded",
    quota: MEGABYTE,
    used: 0,
    required: MEGABYTE + 1,
  });
  expect(await countFiles(userId)).toBe(0);
});
