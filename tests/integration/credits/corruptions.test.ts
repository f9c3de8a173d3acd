import { beforeAll, expect, test } from "vitest";
import { listFaults } from "~/models/credits/faults.server";
import type { LedgerFault } from "~/models/credits/rule-set";
import { auditLedger, listAllFaults } from "~/models/upkeep/audit.server";
import { BETWEEN_ROOMS, FURTHER, IN_THE_LEDGER } from "../../fixtures/corruptions";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { createSoldShop, type SoldShop } from "../../helpers/sold-shop";

setUpBillingEnv();
const ledger = openLedger();
let shop: SoldShop;
beforeAll(async () => {
  shop = await createSoldShop(ledger.db);
});

interface Seen {
  faults: LedgerFault[];
  /** Rules of the ledger's own tables that see it. */
  inLedger: string[];
  /** The id of the row that is at fault. */
  row: string;
}

/**
 * Returns what is found after this SQL, which is then undone. Names like `:lot` stand for the shop's ids;
 * `row` is an expression.
 */
async function corrupt(sql: string, row: string): Promise<Seen> {
  let seen: Seen | undefined;
  const undo = new Error("undo");
  const users = [shop.user, shop.other];
  const attempt = ledger.db.$transaction(async (transaction) => {
    await transaction.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    expect(await transaction.$executeRawUnsafe(fill(sql))).toBeGreaterThan(0);
    const [named] = await transaction.$queryRawUnsafe<{ row: string }[]>(
      fill(`SELECT (${row})::text AS row`),
    );
    const faults = await listAllFaults(users, transaction);
    const inLedger = (await listFaults(users, transaction)).map(({ rule }) => rule);
    seen = { faults, inLedger, row: named?.row ?? "" };
    throw undo;
  });
  await expect(attempt).rejects.toBe(undo);
  if (!seen) throw new Error("nothing was looked at");
  return seen;
}

function expectNamed({ faults, row }: Seen, rule: string): void {
  const found = faults.filter((fault) => fault.rule === rule);
  const names = (fault: LedgerFault) =>
    fault.transactionId === row || fault.userId === row || fault.detail.includes(row);
  expect(found.some(names), `${row} in ${JSON.stringify(faults, null, 1)}`).toBe(true);
}

const fill = (text: string) =>
  text.replaceAll(/(?<!:):([a-z]+)\b/g, (whole, name: string) => {
    const id = shop[name as keyof SoldShop];
    return id === undefined ? whole : /^\d+$/.test(id) ? id : `'${id}'`;
  });

test("a shop that only its own functions wrote has no faults", async () => {
  expect(await listAllFaults([shop.user, shop.other], ledger.db)).toEqual([]);
});

test.each(IN_THE_LEDGER)("%s is found by the ledger's own rules", async (_what, rule, row, sql) => {
  const seen = await corrupt(sql, row);
  expect(seen.inLedger).not.toEqual([]);
  expectNamed(seen, rule);
});

test.each(BETWEEN_ROOMS)(
  "%s agrees with itself in the ledger, and is found by orders, periods and generations",
  async (_what, rule, row, sql) => {
    const seen = await corrupt(sql, row);
    expect(seen.inLedger).toEqual([]);
    expectNamed(seen, rule);
  },
);

test.each(FURTHER)("%s is found, too", async (_what, rule, row, sql) => {
  expectNamed(await corrupt(sql, row), rule);
});

test("an audit finds a ledger that is gone", async () => {
  const { db } = ledger;
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`TRUNCATE credit_allocations, credit_repairs, credit_transactions`,
    // TRUNCATE refuses a table that runs refer to.
    db.$executeRaw`DELETE FROM credit_accounts`,
  ]);
  const rules = new Set<string>();
  const { accounts } = await auditLedger({ onFault: ({ rule }) => rules.add(rule) }, db);
  expect(accounts).toBe(1);
  expect([...rules].sort()).toEqual([
    "order-lot",
    "order-reversed",
    "period-credits",
    "period-lot",
    "run-cost",
    "run-refund",
  ]);
});
