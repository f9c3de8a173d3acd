import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { creditsFor } from "~/catalog";
import type { Database } from "~/db.server";
import { createApiKey, listApiKeys } from "~/models/accounts/api-keys.server";
import { imageRun } from "~/models/images/generate-images.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { createUserWith } from "./credits";

const COST = creditsFor("image", 1);

/** An account with credits for `runs` runs, a limit of its own and a key with another, all as numbers of images. */
export async function createLimitedAccount(
  db: Database,
  { runs, own, key }: { runs: number; own?: number; key?: number },
) {
  const userId = await createUserWith(db, runs * COST);
  await createApiKey(
    {
      userId,
      name: "a program",
      scopes: ["generate"],
      expiresInDays: null,
      monthlyLimit: key === undefined ? null : key * COST,
      mode: "test",
    },
    db,
  );
  const [made] = await listApiKeys(userId, db);
  const apiKeyId = made?.id ?? "";
  if (own !== undefined)
    await db.accountSettings.create({ data: { accountId: userId, monthlyLimit: own * COST } });
  const reserve = (n: number, withKey = true) =>
    reserveRun(
      reservationOf(
        "image",
        imageRun({
          userId,
          apiKeyId: withKey ? apiKeyId : null,
          request: { prompt: "a lake", n, size: "square" },
          idempotencyKey: randomUUID(),
        }),
      ),
      db,
    );
  const used = async () => {
    const rows = await db.usageMonth.findMany({ where: { accountId: userId } });
    const of = (id: string | null) =>
      rows.filter((row) => row.apiKeyId === id).map(({ credits }) => Number(credits));
    return { account: of(null), key: of(apiKeyId) };
  };
  const reserveOne = async (n: number) => {
    const reserved = await reserve(n);
    if (reserved.status !== "reserved") throw new Error(reserved.status);
    return reserved.runId;
  };
  const isSound = async () => expect(await listAllFaults([userId], db)).toEqual([]);
  return { userId, apiKeyId, reserve, reserveOne, used, isSound };
}
