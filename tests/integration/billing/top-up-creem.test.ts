import { expect, test } from "vitest";
import { CURRENCY, PACKS } from "~/catalog";
import { writeEmail } from "~/models/email-delivery/write-email.server";
import { claimEmail } from "~/models/emails/claims.server";
import { writeShown } from "~/services/payments/top-up-form";
import { PACK, productVariable } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { signUp } from "../../helpers/client";
import { createUserWith, openLedger } from "../../helpers/credits";
import { doCrossings } from "../../helpers/crossings";
import { silenceLog } from "../../helpers/silence-log";
import { COST, doJobs, spend, statusesOf, TOP_UP_ENV } from "../../helpers/top-ups";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("creem", { PROVIDER_A_TOP_UP: "true" });
setUpBillingEnv({
  ...TOP_UP_ENV,
  ...{ PAYMENTS_PROVIDER: "creem", PROVIDER_B_API_KEY: "creem_test_sandbox" },
  [productVariable(PACK.skuKey)]: "prod_of_the_pack",
});
silenceLog();
const ledger = openLedger();
const PAGE = "/en/account/billing/top-up";

test("at Creem nobody is offered automatic top-up, and the form sets nothing up", async () => {
  const person = await signUp(app.url);
  expect((await person.fetch(PAGE)).status).toBe(404);
  const billing = await (await person.fetch("/en/account/billing")).text();
  expect(billing).not.toContain("top-up");
  for (const intent of ["card", "save"]) {
    const fields = { threshold: "1", skuKey: PACK.skuKey, monthlyAmount: "500" };
    await person.post(PAGE, { intent, ...fields, shown: writeShown(PACKS) });
  }
  expect(await app.sql("SELECT threshold, card_request FROM account_settings")).toEqual([]);
});

test("at Creem a spend below a mark of before charges nothing, and the low-balance email leads to the packs", async () => {
  const { db } = ledger;
  const accountId = await createUserWith(db, 2 * COST);
  await db.accountSettings.create({
    data: {
      ...{ accountId, lowBalanceCredits: 2 * COST, threshold: 2 * COST, skuKey: PACK.skuKey },
      ...{ monthlyAmount: 5 * PACK.amount, agreedAmount: PACK.amount, agreedCurrency: CURRENCY },
      ...{ agreedAt: new Date(), providerCustomerId: "cus_1", paymentMethodId: "pm_1" },
    },
  });
  await spend(db, accountId);
  const nothing = async () => {
    throw new Error("nobody is asked");
  };
  const cards = {
    ...{ createCustomer: nothing, createCardPage: nothing, findCard: nothing, removeCard: nothing },
    ...{ findPrice: nothing, charge: nothing, findCharge: nothing, cancelCharge: nothing },
    forbidCharge: nothing,
  };
  await doJobs(db, accountId, cards);
  expect(await statusesOf(db, accountId)).toEqual(["canceled: not_offered"]);
  await doCrossings(db, accountId);
  const where = { userId: accountId, kind: "low_balance" };
  const { id } = await db.outboxEmail.findFirstOrThrow({ where });
  const email = await claimEmail(id, db);
  const written = email && (await writeEmail(email, db));
  if (written?.status !== "written") throw new Error("no email was written");
  const { blocks } = written.content;
  const url = "http://localhost:3000/en/pricing";
  expect(blocks).toContainEqual(expect.objectContaining({ type: "button", url }));
  expect(JSON.stringify(blocks)).toContain(`${PACK.credits}`);
});
