import fc from "fast-check";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE, creditsFor } from "~/catalog";
import { Prisma } from "~/generated/prisma/client";
import { estimateRequest } from "~/models/actions/estimate-request.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, DAY, HOUR, openLedger, passTime } from "../../helpers/credits";
import { chargeImages, settleImages } from "../../helpers/image-runs";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { hashTables } from "../../helpers/stored-tables";
import { createSubscription, monthsFromNow } from "../../helpers/subscriptions";

const RUNS = byRun({ few: 25, many: 400 });
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };
const REQUEST = { prompt: "a lake", n: 1, size: "square" } as const;

setUpBillingEnv({
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
  IMAGE_PROVIDER_1_KEY: "unused",
  NEXT_PUBLIC_ENABLE_TEXT_GENERATION: "true",
  TEXT_PROVIDER_KEY: "unused",
  TEXT_PROVIDER_MODEL: "unused",
});
const ledger = openLedger();

const images = (most: number) => fc.integer({ min: 1, max: most });

/** An account at any moment: lots that last or are over, runs of this month, limits, and a month that is due. */
const state = fc.record({
  lots: fc.array(
    fc.record({
      credits: fc.integer({ min: 1, max: 4 * CREDITS_PER_IMAGE }),
      hours: fc.option(fc.integer({ min: 1, max: 48 })),
    }),
    { maxLength: 4 },
  ),
  hoursLater: fc.nat({ max: 36 }),
  runs: fc.array(fc.constantFrom("reserved", "settled", "refunded"), { maxLength: 3 }),
  ownLimit: fc.option(images(6)),
  keyLimit: fc.option(images(6)),
  isDue: fc.boolean(),
  withKey: fc.boolean(),
});

const asked = fc.oneof(
  fc.record({
    action: fc.constant("image" as const),
    input: fc.record({ prompt: fc.constant("a lake"), n: fc.integer({ min: 1, max: 4 }) }),
  }),
  fc.record({
    action: fc.constant("text" as const),
    input: fc.record(
      {
        prompt: fc.string({ minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== ""),
        maxTokens: fc.integer({ min: 1, max: 16_000 }),
      },
      { requiredKeys: ["prompt"] },
    ),
  }),
);

async function createAccount(wanted: typeof state extends fc.Arbitrary<infer V> ? V : never) {
  const { db } = ledger;
  const userId = await createUser(db);
  for (const { credits, hours } of wanted.lots)
    await createLot(db, userId, credits, hours === null ? null : hours * HOUR);
  for (const end of wanted.runs) {
    if ((await getBalance(userId, db)) < creditsFor("image", 1)) break;
    const runId = await chargeImages(db, userId, REQUEST);
    if (end !== "reserved") await settleImages(db, runId, end === "settled" ? [IMAGE] : []);
  }
  await passTime(db, userId, wanted.hoursLater * HOUR);
  await db.creditAccount.upsert({ where: { userId }, create: { userId }, update: {} });
  const limitOf = (most: number | null) => (most === null ? null : most * CREDITS_PER_IMAGE);
  await db.accountSettings.create({
    data: { accountId: userId, monthlyLimit: limitOf(wanted.ownLimit) },
  });
  const key = await db.apiKey.create({
    data: {
      accountId: userId,
      actorId: userId,
      name: "a program",
      prefix: "rcs_test",
      tokenHash: Buffer.from(userId),
      monthlyLimit: limitOf(wanted.keyLimit),
    },
  });
  if (wanted.isDue) {
    const anchor = new Date(Date.now() - DAY);
    await createSubscription(db, { userId, anchor, paidUntil: monthsFromNow(1) });
  }
  return { userId, apiKeyId: wanted.withKey ? key.id : null };
}

const allTables = () => hashTables((text) => ledger.db.$queryRawUnsafe(text));

/** So many accounts have all three answers among them. */
const ENOUGH = 15;

test(
  `in ${RUNS} random accounts an estimate is what a reservation then does, and changes nothing`,
  LAW_TIMEOUT,
  async () => {
    const answers = new Set<string>();
    let tried = 0;
    const { db } = ledger;
    await holdsFor(fc.tuple(state, asked), { runs: RUNS }, async ([wanted, { action, input }]) => {
      tried += 1;
      const caller = await createAccount(wanted);
      const before = await allTables();
      const estimate = await estimateRequest({ ...caller, action, input }, db);
      expect(await allTables()).toEqual(before);
      if (estimate.status !== "estimated") throw new Error(estimate.status);
      const units = ACTION_PARTS[action].request.unitsOf(input);
      const own = { name: "nothing", step: Prisma.empty };
      const request = { ...caller, units, idempotencyKey: null, fields: [], own };
      const reserved = await reserveRun(reservationOf(action, request), db);
      const reasons = {
        reserved: null,
        insufficient: "insufficient_credits",
        limit_reached: "limit_reached",
        key_taken: "none has a key",
        account_deleted: "nobody is deleted",
      };
      answers.add(reserved.status);
      expect(estimate).toMatchObject({
        action,
        units,
        credits: creditsFor(action, units),
        allowed: reserved.status === "reserved",
        reason: reasons[reserved.status],
      });
      if (reserved.status === "insufficient") {
        expect([estimate.credits, estimate.balance]).toEqual([reserved.required, reserved.balance]);
      }
      if (reserved.status === "reserved")
        expect(await getBalance(caller.userId, db)).toBe(estimate.left);
    });
    // On a busy machine few accounts are tried.
    if (tried >= ENOUGH)
      expect(answers).toEqual(new Set(["reserved", "insufficient", "limit_reached"]));
  },
);

test("a month that is due counts where credits are missing, and isn't issued", async () => {
  const { db } = ledger;
  const caller = await createAccount({
    lots: [],
    hoursLater: 0,
    runs: [],
    ownLimit: null,
    keyLimit: null,
    isDue: true,
    withKey: false,
  });
  const before = await allTables();
  const estimate = await estimateRequest({ ...caller, action: "image", input: REQUEST }, db);
  expect(await allTables()).toEqual(before);
  expect(await getBalance(caller.userId, db)).toBe(0);
  const balance = await issueGrantsOf(caller.userId, db);
  expect(balance).toBeGreaterThan(CREDITS_PER_IMAGE);
  expect(estimate).toMatchObject({ allowed: true, balance });
});
