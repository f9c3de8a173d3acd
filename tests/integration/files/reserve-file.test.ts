import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reserveFile, reserveLimitedFile } from "~/models/files/quota.server";
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

const ruleOf = (userId: string, limit: number) => ({
  key: `upload-user:${userId}`,
  limit,
  windowSeconds: 60,
});

const countFiles = (userId: string) => ledger.db.file.count({ where: { userId } });

const statusesOf = (results: { status: string }[]) =>
  results.map(({ status }) => status).toSorted();

test("an upload is counted, checked and recorded by one statement, with what was declared", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const upload = uploadOf(userId, 68);
  const { result, statements } = await countStatements(() =>
    reserveLimitedFile({ upload, rule: ruleOf(userId, 1) }, db),
  );
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

test("of uploads at once as many are recorded as the rate limit allows", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const rule = ruleOf(userId, 3);
  const results = await Promise.all(
    Array.from({ length: 8 }, () => reserveLimitedFile({ upload: uploadOf(userId), rule }, db)),
  );
  expect(statusesOf(results)).toEqual([...Array(5).fill("limited"), ...Array(3).fill("reserved")]);
  expect(await countFiles(userId)).toBe(3);
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
    const second = reserveLimitedFile({ upload, rule: ruleOf(userId, 100) }, db);
    await untilWaiting(db);
    await first[how]();
    const used = how === "commit" ? size : 0;
    expect(await second).toMatchObject(
      used > 0 ? { status: "quota_exceeded", used, required: size } : { status: "reserved" },
    );
    expect(await countFiles(userId)).toBe(1);
  },
);

test("an upload that the quota refuses counts towards the rate limit", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const ask = (size: number) =>
    reserveLimitedFile({ upload: uploadOf(userId, size), rule: ruleOf(userId, 1) }, db);
  expect(await ask(MEGABYTE + 1)).toEqual({
    status: "quota_exceeded",
    quota: MEGABYTE,
    used: 0,
    required: MEGABYTE + 1,
  });
  expect(await ask(1)).toMatchObject({ status: "limited" });
});

test("an upload beyond the rate limit doesn't wait for the owner's other uploads", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const other = await holdTransaction(db, (transaction) =>
    reserveFile(uploadOf(userId), transaction),
  );
  const upload = uploadOf(userId);
  const result = await reserveLimitedFile({ upload, rule: ruleOf(userId, 0) }, db);
  expect(result).toMatchObject({ status: "limited", retryAfterSeconds: 60 });
  await other.rollback();
  expect(await countFiles(userId)).toBe(0);
});
