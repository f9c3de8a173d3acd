import { beforeAll, expect, test, vi } from "vitest";
import { ADMINS, createAdmin, idOf } from "../helpers/admins";
import { signUp } from "../helpers/client";
import { holdUpdate } from "../helpers/hold-update";
import { expectSoundLedger } from "../helpers/ledger";
import { databaseOf, deliverAll, reconcile } from "../helpers/reconciliation";
import type { ReceivedWebhook } from "../helpers/webhook-receiver";
import { withPaymentServer } from "../helpers/with-payment-server";

vi.setConfig({ testTimeout: 120_000 });

// The process that an admin asks to end a subscription at once dies when the provider has ended it, and nothing here says so yet.
const app = withPaymentServer("stripe", { ADMIN_EMAILS: ADMINS.join(","), WORKER: "off" });
let admin: Awaited<ReturnType<typeof createAdmin>>;
beforeAll(async () => {
  admin = await createAdmin(app);
});

/** The form of the action, as its page shows it. */
async function openForm(userId: string, target: string) {
  const path = `/en/admin/users/${userId}/act?do=end_subscription&target=${target}`;
  const html = await (await admin.fetch(path)).text();
  const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? "";
  return { path, fields: { do: "end_subscription", target, key, reason: "a test" } };
}

/** Ways in which the end becomes known here, and the month is taken with it. */
const FINISHES: Record<
  string,
  (known: {
    told: ReceivedWebhook[];
    userId: string;
    again: () => Promise<unknown>;
  }) => Promise<unknown>
> = {
  "the provider's event": ({ told }) => deliverAll(app, told),
  reconcile: ({ userId }) => reconcile(app, { apply: true, userId }),
  "the admin, once more": ({ again }) => again(),
};

test.each(Object.keys(FINISHES))("%s finishes an end whose process was killed", async (finish) => {
  const db = databaseOf(app);
  const person = await signUp(app.url);
  const purchase = await app.buy("plan", { person });
  await deliverAll(app, purchase.webhooks);
  const userId = await idOf(app, person.email);
  const { id: subscriptionId } = await db.subscription.findFirstOrThrow({ where: { userId } });
  const balance = async () => (await db.creditAccount.findUnique({ where: { userId } }))?.balance;
  const { path, fields } = await openForm(userId, subscriptionId);
  const worker = await app.startAnother();
  const held = await holdUpdate(app.databaseUrl, "ended_at", "subscriptions");
  const told = await app.hold(async () => {
    const asked = admin.post(new URL(path, worker.url).href, fields).catch(() => null);
    await held.reached();
    worker.process.kill("SIGKILL");
    await held.undo();
    await asked;
  });
  expect(await balance()).toBeGreaterThan(0);
  await db.$executeRaw`UPDATE idempotency_keys SET lease_until = now() WHERE user_id = ${userId}::uuid`;
  await FINISHES[finish]?.({ told, userId, again: () => admin.post(path, fields) });
  expect(await balance()).toBe(0);
  expect(await db.subscription.findFirstOrThrow({ where: { userId } })).toMatchObject({
    status: "canceled",
  });
  const rows = await db.auditRow.findMany({
    where: { subjectUserId: userId, actor: await idOf(app, ADMINS[0]) },
  });
  expect(rows.map(({ action }) => action)).toContain("subscription_end_asked");
  await expectSoundLedger(app);
});
