import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import type { Database } from "~/db.server";
import { listMovements, readMovements } from "~/models/accounts/movements.server";
import { getOverview } from "~/models/accounts/overview.server";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { grantCredits } from "~/models/credits/grants.server";
import { getHoldings } from "~/models/credits/holdings.server";
import { markDeleted } from "~/models/files/files.server";
import { PLAN } from "../../fixtures/sold";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, createUserWith, DAY, openLedger } from "../../helpers/credits";
import { expectWholeHistory, readLines } from "../../helpers/history-law";
import { chargeImages, settleImages } from "../../helpers/image-runs";
import { monthsFromNow } from "../../helpers/subscriptions";

setUpBillingEnv();
const ledger = openLedger();

const request = { prompt: "a lighthouse", n: 2, size: "square" } as const;
const COST = creditsFor("image", request.n);

const charge = (userId: string) => chargeImages(ledger.db, userId, request);

const all = async (userId: string) =>
  (await listMovements({ userId, kind: "all", cursor: null }, ledger.db)).movements;

test("a run is one line, with what it cost, the balance after it, and its rows", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5 * COST);
  const made = await charge(userId);
  const image = { url: "https://images.test/1.png", persisted: true, fileId: null };
  await settleImages(db, made, [image]);
  const failed = await charge(userId);
  await settleImages(db, failed, []);
  const running = await charge(userId);
  const movements = await all(userId);
  const half = creditsFor("image", 1);
  expect(movements.map(({ amount, balanceAfter, run }) => [amount, balanceAfter, run?.id])).toEqual(
    [
      [-COST, 4 * COST - half, running],
      [0, 5 * COST - half, failed],
      [-half, 5 * COST - half, made],
      [5 * COST, 5 * COST, undefined],
    ],
  );
  expect(movements.map(({ parts }) => parts.map(({ type, amount }) => [type, amount]))).toEqual([
    [["deduction", -COST]],
    [
      ["deduction", -COST],
      ["refund", COST],
    ],
    [
      ["deduction", -COST],
      ["refund", COST - half],
    ],
    [],
  ]);
  expect(movements.map(({ run }) => run?.status)).toEqual([
    "reserved",
    "refunded",
    "settled",
    undefined,
  ]);
  expect(movements[2]?.run).toMatchObject({
    action: "image",
    subject: "a lighthouse",
    units: 1,
    unused: 1,
    picture: { url: "https://images.test/1.png", index: 0, thumbnailWidth: null },
  });
});

test("an image kept in the database is shown by its place, and one at a provider not at all", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5 * COST);
  const pictureOf = async (urls: string[]) => {
    const generationId = await charge(userId);
    const images = urls.map((url) => ({ url, persisted: false, fileId: null }));
    await settleImages(db, generationId, images);
    return (await all(userId))[0]?.run?.picture;
  };
  const data = "data:image/png;base64,iVBORw0KGgo=";
  expect(await pictureOf(["https://provider.test/1.png", data])).toEqual({
    url: null,
    index: 1,
    thumbnailWidth: null,
  });
  expect(await pictureOf(["https://provider.test/1.png"])).toBeNull();
});

test("a saved image is shown by its smallest thumbnail, until its owner deletes it", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5 * COST);
  const save = async (name: string) => {
    const file = await db.file.create({
      data: {
        userId,
        key: `public/${randomUUID()}.png`,
        filename: name,
        contentType: "image/png",
        size: 1,
        access: "public",
        status: "confirmed",
        thumbnailWidths: [320, 640],
      },
    });
    return { url: `https://images.test/${name}`, persisted: true, fileId: file.id };
  };
  const images = [await save("1.png"), await save("2.png")];
  const generationId = await charge(userId);
  await settleImages(db, generationId, images);
  const picture = async () => (await all(userId))[0]?.run?.picture;
  const first = { url: "https://images.test/1.png", index: 0, thumbnailWidth: 320 };
  expect(await picture()).toEqual(first);
  await markDeleted({ fileId: images[0]?.fileId ?? "", userId }, db);
  expect(await picture()).toEqual({ ...first, url: "https://images.test/2.png", index: 1 });
});

test("a plan's credits name the plan and its payment", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const subscription = newSubscription(userId);
  await applyEvents(db, subscription.changed(new Date(Date.now() - DAY), monthsFromNow(1)));
  const [month] = await all(userId);
  const period = await db.subscriptionPeriod.findFirstOrThrow({
    where: { subscription: { userId } },
  });
  expect(month?.plan).toEqual({ planKey: PLAN.planKey, paymentId: period.id });
});

test("a source that only looks like another one leads nowhere", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const stranger = await createUserWith(db, 5 * COST);
  const theirs = await charge(stranger);
  const sources = ["generation:1", "subscription:stripe:x:y", "order:stripe:nothing", "order:"];
  for (const source of [...sources.map((each) => `${each}${randomUUID()}`), "upgrade:a:b"]) {
    await grantCredits({ userId, amount: 1, source, expiresAt: null }, db);
  }
  await grantCredits(
    { userId, amount: 1, source: `generation:${theirs}:refund`, expiresAt: null },
    db,
  );
  for (const movement of await all(userId)) {
    expect(movement).toMatchObject({ run: null, orderId: null, plan: null });
  }
});

test("pages skip no run and show none twice, though runs end while they are turned", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 70 * COST, [50, DAY]);
  for (const source of ["order:stripe:a", "subscription:stripe:a", "signup:a"]) {
    const grant = { userId, amount: 5, source: `${source}${randomUUID()}`, expiresAt: null };
    await grantCredits(grant, db);
  }
  const running: string[] = [];
  for (let count = 0; count < 60; count += 1) running.push(await charge(userId));
  const [newest = "", oldest = ""] = [running.at(-1), running.at(0)];
  await settleImages(db, newest, []);
  const between = async () => {
    // One of the page before and one of the next.
    await settleImages(db, running.at(-2) ?? "", []);
    await settleImages(db, oldest, []);
  };
  const lines = await readLines({ userId, kind: "all", between }, db);
  const runs = lines.flatMap(({ run }) => (run ? [run.id] : []));
  expect(runs).toEqual([newest, ...running.slice(0, -1).reverse()]);
  expect(lines).toHaveLength(65);
  expect(lines.find(({ run }) => run?.id === oldest)).toMatchObject({ amount: 0 });
  await expectWholeHistory(userId, db);
  const rows: string[] = [];
  for await (const { id } of readMovements(userId, db)) rows.push(id);
  expect(rows).toHaveLength(65 + 3);
  const odd = await listMovements({ userId, kind: "all", cursor: "x" }, db);
  expect(odd.movements).toHaveLength(50);
});

async function moveSpends(db: Database, userId: string, days: number): Promise<void> {
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`UPDATE credit_transactions
      SET created_at = created_at - make_interval(days => ${days}::int)
      WHERE user_id = ${userId}::uuid`,
  ]);
}

test("use is counted by the day of the spend, less what came back later", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10 * COST);
  await charge(userId);
  await moveSpends(db, userId, 40);
  await charge(userId);
  const failed = await charge(userId);
  await moveSpends(db, userId, 3);
  await db.$transaction((transaction) =>
    refundSpends([{ source: `generation:${failed}` }], transaction),
  );
  await charge(userId);
  const { days, latest } = await getOverview({ userId, days: 30, latest: 2 }, db);
  expect(days).toHaveLength(30);
  const busy = days.filter(({ used, refunded }) => used + refunded > 0);
  const dayOf = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
  expect(busy).toEqual([
    { day: dayOf(3), used: COST, refunded: COST },
    { day: dayOf(0), used: COST, refunded: 0 },
  ]);
  expect(latest.map(({ parts }) => parts.map(({ type }) => type))).toEqual([
    ["deduction"],
    ["deduction", "refund"],
  ]);
  expect(latest[0]?.createdAt).toBeInstanceOf(Date);
});

test("an account without a movement has thirty empty days", async () => {
  const userId = await createUser(ledger.db);
  const { days, latest } = await getOverview({ userId, days: 30, latest: 5 }, ledger.db);
  expect([days.length, latest]).toEqual([30, []]);
  expect(days.every(({ used, refunded }) => used === 0 && refunded === 0)).toBe(true);
});

test("holdings tell apart what expires next, later and never", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 600, [120, DAY], [30, 40 * DAY]);
  expect(await getHoldings(userId, db)).toMatchObject({
    balance: 750,
    expiring: { amount: 120 },
    later: 30,
    lasting: 600,
  });
  const empty = await createUser(db);
  expect(await getHoldings(empty, db)).toEqual({
    balance: 0,
    expiring: null,
    later: 0,
    lasting: 0,
  });
  await createLot(db, empty, 5);
  expect(await getHoldings(empty, db)).toMatchObject({ balance: 5, expiring: null, lasting: 5 });
});
