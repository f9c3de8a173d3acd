import fc from "fast-check";
import { expect, test } from "vitest";
import { ACTIONS } from "~/catalog";
import type { MeteredRun } from "~/generated/prisma/client";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { expectWholeHistory } from "../../helpers/history-law";
import { losing } from "../../helpers/lose-connection";
import { listResults } from "../../helpers/metered-actions";
import { createMeteredAccount, step } from "../../helpers/run-histories";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";

const RUNS = byRun({ few: 40, many: 600 });

setUpBillingEnv();
silenceLog();
const ledger = openLedger();

const isRefunded = ({ status }: MeteredRun) => status === "refunded";

/** Nobody works on it, and nobody can go on. */
const isLost = (run: MeteredRun) =>
  run.status === "reserved" &&
  run.leaseUntil <= new Date() &&
  (run.deadlineAt <= new Date() ||
    (run.providerRequestId === null && !(run.asynchronous && run.calledAt === null)));

const listWithoutJob = (accountId: string) => ledger.db.$queryRaw`
  SELECT id FROM metered_runs run WHERE account_id = ${accountId}::uuid AND asynchronous AND NOT EXISTS (
    SELECT 1 FROM pgboss.job WHERE name = 'runs' AND data ->> 'runId' = run.id::text)`;

/** Whether so many credits are what the units cost at the run's own price: no fewer than pay for them all, and no more. */
function isPrice(run: MeteredRun, { credits, units }: { credits: number; units: number }): boolean {
  const { unitCredits, unitSize, leastCredits } = run;
  if (credits * unitSize < units * unitCredits || credits < leastCredits) return false;
  return credits === leastCredits || (credits - 1) * unitSize < units * unitCredits;
}

function expectPrices(run: MeteredRun): void {
  const { action, unitsReserved, unitsUsed, creditsReserved, creditsCharged } = run;
  const { price } = action === "text" ? ACTIONS.text : ACTIONS.image;
  expect([run.unitCredits, run.unitSize, run.leastCredits]).toEqual(Object.values(price));
  expect(isPrice(run, { credits: creditsReserved, units: unitsReserved })).toBe(true);
  if (run.status !== "settled") expect(creditsCharged).toBe(0);
  // A provider that counts more than was reserved gets what was reserved.
  else if (unitsUsed > unitsReserved) expect(creditsCharged).toBe(creditsReserved);
  else expect(isPrice(run, { credits: creditsCharged, units: unitsUsed })).toBe(true);
}

/** So many histories come to everything below. */
const ENOUGH = 15;
const SEEN = ["image", "text"].flatMap((action) =>
  ["reserved", "key_taken", "extended", "settled", "refunded", "had ended"].map(
    (outcome) => `${action} ${outcome}`,
  ),
);

test(
  `in ${RUNS} random histories, pairs at once and lost connections among them, a run holds what it says and ends once`,
  LAW_TIMEOUT,
  async () => {
    const seen = new Set<string>();
    let tried = 0;
    await holdsFor(
      fc.array(step, { minLength: 4, maxLength: 16, size: "max" }),
      { runs: RUNS },
      async (steps) => {
        const { db } = ledger;
        const { userId, perform, listRuns, broken } = await createMeteredAccount(db, seen);
        const ended = new Map<string, unknown>();
        tried += 1;
        for (const { work, loss } of steps) {
          const all = () => Promise.all(work.map(perform));
          const before = await listRuns();
          if (loss) await losing(loss, db, all);
          else await all();
          // The rules count a run's deductions less its refunds.
          expect(await listAllFaults([userId], db)).toEqual([]);
          expect(broken).toEqual([]);
          const after = await listRuns();
          if (!loss && work.length === 1 && work[0]?.do === "sweep")
            expect(after.filter(isRefunded).map(({ id }) => id)).toEqual(
              before.filter((run) => isRefunded(run) || isLost(run)).map(({ id }) => id),
            );
          for (const run of after) {
            expectPrices(run);
            const end = ended.get(run.id);
            if (end) expect(run).toEqual(end);
            if (run.status !== "reserved") ended.set(run.id, run);
          }
          // The result is there as soon as the run is settled, and none was kept for one that isn't.
          for (const { run, kept, whole } of await listResults(userId, db))
            expect(kept).toBe(run.status === "settled" ? whole : 0);
          // An asynchronous run has its job, whatever became of its process.
          expect(await listWithoutJob(userId)).toEqual([]);
        }
        await expectWholeHistory(userId, db);
      },
    );
    // Histories in which nothing happens would keep every law. On a busy machine few are tried.
    if (tried >= ENOUGH) expect([...seen]).toEqual(expect.arrayContaining(SEEN));
  },
);
