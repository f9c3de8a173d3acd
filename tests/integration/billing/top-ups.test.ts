import { expect, onTestFinished, test } from "vitest";
import { startPackCheckout } from "~/models/billing/checkouts/checkouts.server";
import { getBalance } from "~/models/credits/balance.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, openLedger } from "../../helpers/credits";
import { PACK } from "../../fixtures/sold";
import { expectHealthyLedger } from "../../helpers/ledger";
import {
  ageAttempts,
  COST,
  createOwner,
  doJobs,
  keepCardFor,
  moneyOf,
  openTopUpShop,
  PRICE,
  spend,
  TOP_UP_ENV,
  takeBack,
} from "../../helpers/top-ups";

setUpBillingEnv(TOP_UP_ENV);
const ledger = openLedger();

const open = () => openTopUpShop(ledger.db);

const statusesOf = async (accountId: string) =>
  (await ledger.db.topUp.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } })).map(
    ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  );

const settingsOf = (accountId: string) =>
  ledger.db.accountSettings.findUniqueOrThrow({ where: { accountId } });

const emailsOf = async (userId: string) =>
  (await ledger.db.outboxEmail.findMany({ where: { userId, kind: { startsWith: "top_up" } } })).map(
    ({ kind, data }) => `${kind} ${(data as { reason?: string }).reason ?? ""}`.trim(),
  );

test("a spend below the mark charges the kept card once, and the webhook alone brings the credits", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 4, mark: 4, packs: 2 });
  const before = (await shop.sent()).length;
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await doJobs(db, accountId, shop.cards);
  expect(await moneyOf(shop, customerId)).toEqual({ charges: 1, taken: PRICE, returned: 0 });
  expect(await getBalance(accountId, db)).toBe(3 * COST);
  expect(await statusesOf(accountId)).toEqual(["asked"]);
  const events = (await shop.sent()).slice(before);
  await shop.deliver(...events, ...events.toReversed());
  expect(await getBalance(accountId, db)).toBe(3 * COST + PACK.credits);
  expect(await statusesOf(accountId)).toEqual(["paid"]);
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  expect(await db.order.findMany({ where: { userId: accountId } })).toMatchObject([
    {
      providerCheckoutId: `topup:${topUp.id}`,
      providerPaymentId: topUp.providerPaymentId,
      amount: BigInt(PRICE),
      status: "paid",
    },
  ]);
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/refund`, {});
  await shop.deliver(...(await shop.sent()).slice(before + events.length));
  expect(await getBalance(accountId, db)).toBe(3 * COST);
  await expectHealthyLedger(db);
});
