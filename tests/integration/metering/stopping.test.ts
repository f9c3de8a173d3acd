import { expect, onTestFinished, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { closeDb } from "~/db.server";
import { forgetEnv } from "~/env.server";
import { endRunningRuns, keepRunning } from "~/models/metering/running.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith, openLedger } from "../../helpers/credits";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";
import { chargeImages } from "../../helpers/image-runs";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();

const never = () => new Promise<void>(() => {});

test("a run that begins while the process ends the others is ended, too", async () => {
  const { db } = ledger;
  process.env.DATABASE_URL = ledger.url;
  forgetEnv();
  onTestFinished(closeDb);
  const userId = await createUserWith(db, 2 * CREDITS_PER_IMAGE);
  const charge = () => chargeImages(db, userId, { prompt: "a lake", n: 1, size: "square" });
  const [first, second] = [await charge(), await charge()];
  const statuses = async () => {
    const runs = await db.meteredRun.findMany({ where: { accountId: userId } });
    return runs.map(({ status }) => status);
  };
  const held = await holdTransaction(
    db,
    (transaction) =>
      transaction.$queryRaw`SELECT 1 FROM metered_runs WHERE id = ${first}::uuid FOR UPDATE`,
  );
  const works = [keepRunning({ runId: first, isAwaited: false }, never)];
  const ending = endRunningRuns({ awaitedMs: 0, graceMs: 0 });
  await untilWaiting(db);
  works.push(keepRunning({ runId: second, isAwaited: true }, never));
  await held.commit();
  await ending;
  expect((await statuses()).sort()).toEqual(["refunded", "reserved"]);
  await endRunningRuns({ awaitedMs: 0, graceMs: 0 });
  expect(await statuses()).toEqual(["refunded", "refunded"]);
  // Nobody waits for them any longer.
  await Promise.all(works);
});
