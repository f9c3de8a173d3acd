import { type Database, getDb } from "~/db.server";
import { PAYMENT_PROVIDER_NAMES, pricesOf } from "~/env/payments";
import { getEnv } from "~/env.server";
import { type Outcome, reconcileAs } from "~/models/admin/billing-actions.server";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";

const DAYS = 30;

/**
 * Compares one person's records at every provider that has a key with this database, as `npm run billing -- reconcile --user`
 * does with its defaults. Repairs what differs with `apply`.
 */
export async function reconcileUser(
  { actor, userId, apply }: { actor: string; userId: string; apply: boolean },
  db: Database = getDb(),
): Promise<Outcome[]> {
  const { payments, siteUrl } = getEnv();
  const outcomes: Outcome[] = [];
  for (const name of PAYMENT_PROVIDER_NAMES) {
    const records = openBillingRecords(name, payments);
    if (!records) continue;
    const since = new Date(Date.now() - DAYS * 24 * 60 * 60 * 1000);
    const prices = pricesOf(name, payments);
    const site = siteUrl.host;
    await reconcileAs(
      actor,
      { db, records, prices, userId, since, site, startedAt: new Date() },
      {
        apply,
        checkouts: [],
        onOutcome: (outcome) => void outcomes.push(outcome),
        onProgress: () => {},
      },
    );
  }
  return outcomes;
}
