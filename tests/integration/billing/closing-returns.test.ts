import { expect, test } from "vitest";
import { closeReturn, UNNAMED } from "~/models/billing/returns/close-return.server";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent, ReturnKind } from "~/services/payments/billing-event";
import { describeClosed } from "../../../scripts/billing/close-return";
import { written } from "../../fixtures/sold";
import {
  applyCreemEvents,
  packCheckout,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();

const COMMANDS: { command: string; kind: ReturnKind; other: ReturnKind; done: string }[] = [
  { command: "dispute-won", kind: "dispute", other: "refund", done: "the dispute is won" },
  { command: "refund-failed", kind: "refund", other: "dispute", done: "the refund failed" },
];

interface Case {
  /** Returns of a pack of 5.00 that gave 100 credits: by id, or null for the sum so far. */
  returns: { of?: "kind" | "other"; id: string | null; amount: number; isClosed?: boolean }[];
  /** The id that the operator gives. */
  name?: string;
  isUnknownPayment?: boolean;
  code: number;
  words: string;
  /** Credits that come back. */
  credits?: number;
}

/** In the words, KIND and OTHER stand for refund and dispute, DONE for what the command says, PAYMENT for the payment. */
const CASES: Record<string, Case> = {
  "an unknown payment": {
    returns: [],
    isUnknownPayment: true,
    code: 1,
    words:
      "no KIND of the payment PAYMENT is away here; nothing changed. Nothing of that payment is on record",
  },
  "a payment of which nothing went back": {
    returns: [],
    code: 1,
    words:
      "no KIND of the payment PAYMENT is away here; nothing changed. Nothing of that payment is on record",
  },
  "a payment of which the other kind is away": {
    returns: [{ of: "other", id: "x_1", amount: 100 }],
    code: 1,
    words: `no KIND of the payment PAYMENT is away here; nothing changed. On record: OTHER x_1 of ${written(100)}, STATE`,
  },
  "an unknown id, where one is known by its id": {
    returns: [{ id: "x_1", amount: 100 }],
    name: "x_2",
    code: 1,
    words: `no KIND x_2 of the payment PAYMENT is away here; nothing changed. On record: KIND x_1 of ${written(100)}, STATE`,
  },
  "an unknown id, where a sum is known": {
    returns: [{ id: null, amount: 300 }],
    name: "x_2",
    code: 1,
    words: `no KIND x_2 of the payment PAYMENT is away here; nothing changed. On record: KINDs of ${written(300)} in all (unnamed)`,
  },
  "an unknown id, after one was closed": {
    returns: [{ id: "x_1", amount: 100, isClosed: true }],
    name: "x_2",
    code: 1,
    words: `On record: KIND x_1 of ${written(100)}, STATE`,
  },
  "one that is closed": {
    returns: [{ id: "x_1", amount: 100, isClosed: true }],
    code: 0,
    words: "x_1: DONE, as was known; nothing changed",
  },
  "one that is closed, by its id": {
    returns: [
      { id: "x_1", amount: 100, isClosed: true },
      { id: "x_2", amount: 200 },
    ],
    name: "x_1",
    code: 0,
    words: "x_1: DONE, as was known; nothing changed",
  },
  "one that is closed and one that is open": {
    returns: [
      { id: "x_1", amount: 100, isClosed: true },
      { id: "x_2", amount: 200 },
    ],
    code: 2,
    words: "name one with --KIND; still open: x_2",
  },
  "several that are open": {
    returns: [
      { id: "x_1", amount: 100 },
      { id: "x_2", amount: 200 },
    ],
    code: 2,
    words: "name one with --KIND; still open: x_1, x_2",
  },
  "one by its id, and a sum besides": {
    returns: [
      { id: "x_1", amount: 100 },
      { id: null, amount: 300 },
    ],
    code: 2,
    words: "name one with --KIND; still open: x_1, unnamed",
  },
  "the sum besides one that is known by its id": {
    returns: [
      { id: "x_1", amount: 100 },
      { id: null, amount: 300 },
    ],
    name: UNNAMED,
    code: 0,
    words: "DONE, 40 credits given back",
    credits: 40,
  },
  "the only one": {
    returns: [{ id: "x_1", amount: 100 }],
    code: 0,
    words: "DONE, 20 credits given back",
    credits: 20,
  },
};

for (const { command, kind, other, done } of COMMANDS)
  test.each(Object.entries(CASES))(`${command}: %s`, async (_, of) => {
    const { db } = ledger;
    const userId = await createUser(db);
    const paymentId = `ord_${userId}`;
    const apply = (...events: BillingEvent[]) => applyCreemEvents(db, ...events);
    await apply(packCheckout(userId, { paymentId }));
    const idOf = (id: string) => `${id}_${userId}`;
    const stateOf = (of: ReturnKind, isClosed = false) =>
      of === "refund" ? (isClosed ? "failed" : "succeeded") : isClosed ? "won" : "open";
    for (const { of: whose = "kind", id, amount, isClosed } of of.returns) {
      const returned = whose === "kind" ? kind : other;
      const names = { paymentId: `tran_${userId}`, orderId: paymentId, chargedAmount: 500 };
      await apply(
        paymentReturned({
          ...{ ...names, of: returned, state: stateOf(returned, isClosed), amount },
          returnId: id && idOf(id),
        }),
      );
    }
    const look = async () => ({
      balance: await getBalance(userId, db),
      returns: await db.paymentReturn.findMany({
        where: { providerOrderId: paymentId },
        orderBy: { heardAt: "asc" },
        select: { providerReturnId: true, state: true, amount: true },
      }),
    });
    const before = await look();
    const payment = of.isUnknownPayment ? "ord_none" : paymentId;
    const returnId = of.name === undefined || of.name === UNNAMED ? of.name : idOf(of.name);
    const order = { kind, paymentId: payment, returnId: returnId ?? null };
    const closed = await db.$transaction((transaction) =>
      closeReturn({ ...order, provider: "creem" }, transaction),
    );
    const [first] = of.returns;
    const words = of.words
      .replaceAll(/x_\d/g, idOf)
      .replaceAll("KIND", kind)
      .replaceAll("OTHER", other)
      .replaceAll("STATE", stateOf(first?.of === "other" ? other : kind, first?.isClosed))
      .replaceAll("DONE", done)
      .replaceAll("PAYMENT", payment);
    expect(describeClosed(closed, order)).toEqual({
      code: of.code,
      words: expect.stringContaining(words),
    });
    const after = await look();
    expect(after.balance - before.balance).toBe(of.credits ?? 0);
    if (!of.credits) expect(after).toEqual(before);
  });
