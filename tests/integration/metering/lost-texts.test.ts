import { expect, test } from "vitest";
import type { Database } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { GrowingAction } from "~/models/metering/growing/growing-action";
import { keepRequest } from "~/models/metering/growing/growing-rows.server";
import { beginLost } from "~/models/metering/growing/start-growing.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { textAction } from "~/models/text/text-action.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();

const PIECES = 900;

/** Texts of so many tokens, from a provider that counts its calls. */
function writing() {
  const calls: unknown[] = [];
  const action: GrowingAction = {
    ...textAction,
    isOn: () => true,
    provider: () => ({
      ...{ name: "openai", model: "a-model" },
      async *ask(request) {
        calls.push(request);
        for (let nth = 0; nth < PIECES; nth += 1) yield { text: "abcd", isHidden: false };
        return { status: "stop", usage: null };
      },
    }),
  };
  return { action, calls };
}

/** A run that nobody waits for, and whose process died before it called. */
async function leave(action: GrowingAction) {
  const { db } = ledger;
  const userId = await createUserWith(db, 100);
  const request = { prompt: "a story" };
  const reserved = await reserveRun(
    reservationOf(action.key, {
      ...{ userId, units: 1_000, idempotencyKey: null, fields: [request.prompt] },
      isAsynchronous: true,
      own: keepRequest(action, userId, request),
    }),
    db,
  );
  if (reserved.status !== "reserved") throw new Error(reserved.status);
  await db.$executeRaw`
    UPDATE metered_runs SET lease_until = now() - interval '1 second' WHERE id = ${reserved.runId}::uuid`;
  return reserved.runId;
}

const beginIt = async (action: GrowingAction, runId: string, db: Database = ledger.db) => {
  await Promise.all(await beginLost(action, { limit: 1, runIds: [runId] }, db));
  return ledger.db.meteredRun.findUniqueOrThrow({ where: { id: runId } });
};

test("a run from before a change of price is paid slice by slice at its own price", async () => {
  const { action } = writing();
  const runId = await leave(action);
  // It was reserved when a credit paid for a hundred tokens.
  await ledger.db.$executeRaw`
    UPDATE metered_runs SET unit_credits = 1, unit_size = 100, units_reserved = 100
    WHERE id = ${runId}::uuid`;
  const run = await beginIt(action, runId);
  expect(run).toMatchObject({ status: "settled" });
  expect(run.unitsUsed).toBeGreaterThan(PIECES);
  expect(run.creditsCharged).toBe(Math.ceil(run.unitsUsed / 100));
});

test("a run whose call another process has made a moment before is left to it", async () => {
  const { action, calls } = writing();
  const runId = await leave(action);
  const { db } = ledger;
  const late = new Proxy(db, {
    get(target, name) {
      if (name !== "$queryRaw") return Reflect.get(target, name);
      return async (query: Prisma.Sql | TemplateStringsArray, ...values: unknown[]) => {
        if ("sql" in query && query.sql.includes("prepared keep_call"))
          await db.$executeRaw`
            UPDATE metered_runs SET called_at = now(), attempts = '[{}]' WHERE id = ${runId}::uuid`;
        return Reflect.apply(target.$queryRaw, target, [query, ...values]);
      };
    },
  });
  expect(await beginIt(action, runId, late)).toMatchObject({ status: "reserved" });
  expect(calls).toEqual([]);
});
