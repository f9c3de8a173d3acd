import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { MIDDLE_PACK, written } from "../../fixtures/sold";
import { billLines, closeDispute, openDispute, refund, setPrice } from "../../helpers/payments";
import { deliverAll, reconcile, runBilling, subscriptionOf } from "../../helpers/reconciliation";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe");
const creem = withPaymentServer("creem");

/** A delivered pack at Creem, and the id of its order. */
async function buyPack() {
  const { webhooks, sessionId } = await creem.buy("pack");
  await deliverAll(creem, webhooks);
  const [order] = await creem.sql<{ payment: string; id: string; user: string }>(
    `SELECT provider_payment_id AS payment, id, user_id AS "user" FROM orders WHERE provider_checkout_id = $1`,
    [sessionId],
  );
  if (!order) throw new Error("no order");
  return order;
}

const HALF = Math.floor(MIDDLE_PACK.amount / 2);
const QUARTER = Math.floor(MIDDLE_PACK.amount / 4);
/** The credits that so much of the pack's price pays for. */
const creditsOf = (amount: number) =>
  Math.floor((MIDDLE_PACK.credits * amount) / MIDDLE_PACK.amount);

const run = (...args: string[]) => runBilling(creem, ...args, "--provider", "creem");

test("`billing unsold` lists lines that the catalog doesn't sell, with what they cost and when", async () => {
  expect(await runBilling(app, "unsold")).toMatchObject({ code: 0, stdout: "0 unsold\n" });
  const purchase = await app.buy("plan", { period: "year" });
  await deliverAll(app, purchase.webhooks);
  const subscription = subscriptionOf(purchase);
  await setPrice(app, "price_seat", { amount: 200, interval: "month" });
  const told = await app.hold(() =>
    billLines(app, subscription, [
      { kind: "price", amount: 200, days: 30, price: "price_seat" },
      { kind: "item", amount: 500, days: 3 },
    ]),
  );
  await deliverAll(app, told);
  await deliverAll(app, told);
  const { code, stdout } = await runBilling(app, "unsold");
  const lines = stdout.trim().split("\n");
  expect([code, lines.length, lines.at(-1)]).toEqual([0, 3, "2 unsold"]);
  expect(stdout).toMatch(
    new RegExp(
      `^\\S+Z  stripe  ${subscription}  in_\\w+  0  price_seat  2\\.00 ${CURRENCY}  \\S+Z to \\S+Z$`,
      "m",
    ),
  );
  expect(stdout).toContain(written(500));
});

test("`billing dispute-won` gives back once, and wants a name where several are open", async () => {
  const { payment, user } = await buyPack();
  const disputes: string[] = [];
  const told = await creem.hold(async () => {
    disputes.push(await openDispute(creem, payment, { amount: HALF }));
    disputes.push(await openDispute(creem, payment, { amount: QUARTER }));
  });
  await deliverAll(creem, told);
  const several = await run("dispute-won", payment);
  expect(several.code).toBe(2);
  for (const id of disputes) expect(several.stderr).toContain(id);
  const [first = "", second = ""] = disputes;
  expect(await run("dispute-won", payment, "--dispute", first)).toMatchObject({
    code: 0,
    stdout: `user ${user}: the dispute is won, ${creditsOf(HALF + QUARTER) - creditsOf(QUARTER)} credits given back\n`,
  });
  // Without a name it could be the first one again.
  expect(await run("dispute-won", payment)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(second),
  });
  expect(await run("dispute-won", payment, "--dispute", second)).toMatchObject({
    code: 0,
    stdout: `user ${user}: the dispute is won, ${creditsOf(QUARTER)} credits given back\n`,
  });
  expect(await run("dispute-won", payment, "--dispute", second)).toMatchObject({
    code: 0,
    stdout: `${second}: the dispute is won, as was known; nothing changed\n`,
  });
  expect(await run("dispute-won", "ord_unknown")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no dispute of the payment ord_unknown is away here"),
  });
});

test("creem: after a dispute was won, reconcile names a refund of the same sum whose webhook was lost", async () => {
  const { payment, user } = await buyPack();
  const own = async () =>
    (await reconcile(creem, { apply: true })).filter(({ userId }) => userId === user);
  let dispute = "";
  const told = await creem.hold(async () => {
    dispute = await openDispute(creem, payment);
  });
  await deliverAll(creem, told);
  await closeDispute(creem, dispute, "won");
  expect(await own()).toMatchObject([{ says: expect.stringContaining(`only ${written(0)}`) }]);
  expect(await run("dispute-won", payment)).toMatchObject({ code: 0 });
  expect(await own()).toEqual([]);
  const lost = await creem.hold(() => refund(creem, payment));
  expect(await own()).toMatchObject([
    {
      says: expect.stringMatching(
        new RegExp(
          `^${written(MIDDLE_PACK.amount)} paid back there, ${written(0)} here; .* may hide another one$`,
        ),
      ),
      advice: expect.stringContaining("sent again"),
    },
  ]);
  // The advice is followed.
  await deliverAll(creem, lost);
  expect(await own()).toEqual([]);
  const [order] = await creem.sql<{ status: string; reversed: number }>(
    "SELECT status, credits_reversed AS reversed FROM orders WHERE provider_payment_id = $1",
    [payment],
  );
  expect(order).toEqual({ status: "refunded", reversed: MIDDLE_PACK.credits });
});

test("`billing returns` lists what may be ours, shows each, and applies or drops it", async () => {
  const { sessionId, webhooks } = await app.buy("pack");
  const told = await app.hold(() => refund(app, sessionId, { amount: HALF }));
  await deliverAll(app, told);
  const list = await runBilling(app, "returns", "list");
  const [line = ""] = list.stdout.split("\n");
  expect(line).toMatch(
    new RegExp(`^stripe {2}payment pi_\\w+ {2}refund .* {2}${written(HALF)} .* {2}kept$`),
  );
  const [payment = ""] = /pi_\w+/.exec(line) ?? [];
  const of = [payment, "--provider", "stripe"];
  expect((await runBilling(app, "returns", "show", ...of)).stdout).toContain("  kept\n");
  expect((await reconcile(app)).map(({ object }) => object)).toContain(`payment ${payment}`);

  expect(await runBilling(app, "returns", "drop", ...of)).toMatchObject({ code: 2 });
  const dropped = await runBilling(app, "returns", "drop", ...of, "--reason", "another shop's");
  expect(dropped.code).toBe(0);
  expect((await runBilling(app, "returns", "show", ...of)).stdout).toContain(
    "dropped: another shop's",
  );
  expect(await runBilling(app, "returns", "list")).toMatchObject({ stdout: "0 kept\n" });
  expect(await runBilling(app, "returns", "apply")).toMatchObject({
    code: 0,
    stdout: "0 applied, 0 kept\n",
  });

  // Its payment comes all the same.
  await deliverAll(app, webhooks);
  expect((await runBilling(app, "returns", "show", ...of)).stdout).toMatch(/ {2}order \S+ of user/);
  expect(await runBilling(app, "returns", "show", "pi_none", "--provider", "stripe")).toMatchObject(
    {
      code: 1,
    },
  );
});
