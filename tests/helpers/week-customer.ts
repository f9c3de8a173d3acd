import { expect } from "vitest";
import { spendCredits } from "~/models/credits/spends.server";
import { PLAN_YEARLY, priceVariable, productVariable } from "../fixtures/sold";
import { type Person, signUp } from "./client";
import { closeDispute, openDispute, refund, settleRefund } from "./payments";
import { previewPlan } from "./plan-change";
import { databaseOf, deliverAll, runBilling, subscriptionOf } from "./reconciliation";
import type { PaymentServerUnderTest } from "./with-payment-server";

/** A refund that failed or a dispute that was won, of which Creem tells nobody. */
interface Ended {
  command: "refund-failed" | "dispute-won";
  /** The transaction. */
  payment: string;
  returnId: string;
}

/** Someone with a pack and the first plan by the year, and what happens to their money. */
export interface WeekCustomer {
  person: Person;
  email: string;
  /** The provider's ids of what names the payments: the pack's checkout, and the subscription. */
  pack: string;
  plan: string;
  /** The id of the subscription's last payment. */
  lastPayment(): Promise<string>;
  /** Buys another pack, and returns its checkout. */
  buyPack(): Promise<string>;
  spend(amount: number): Promise<void>;
  refund(payment: string, amount?: number): Promise<string>;
  failRefund(id: string): Promise<void>;
  dispute(payment: string, amount?: number): Promise<string>;
  winDispute(id: string): Promise<void>;
  loseDispute(id: string): Promise<void>;
  renew(outcome?: "succeed" | "fail"): Promise<void>;
  collect(): Promise<void>;
  /** Changes the plan by the app's own page. */
  changePlan(plan: string, period: string): Promise<void>;
  /** The operator puts it back to the small plan by the year, at the provider. */
  undoChange(): Promise<void>;
  /** The operator charges the running period once more, at Stripe. */
  payAgain(): Promise<void>;
  /** A fact that the operator has to tell, since the provider doesn't. */
  ended: Ended[];
}

export async function createWeekCustomer(app: PaymentServerUnderTest): Promise<WeekCustomer> {
  const person = await signUp(app.url);
  const packBought = await app.buy("pack", { person });
  const planBought = await app.buy("plan", { person, period: "year" });
  await deliverAll(app, [...packBought.webhooks, ...planBought.webhooks]);
  const plan = subscriptionOf(planBought);
  const ended: Ended[] = [];
  const control = async (path: string, body = {}) => {
    const { status } = await app.control(app.provider, "POST", path, body);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  };
  const end = async (command: Ended["command"], returnId: string) => {
    if (app.provider === "stripe") return;
    const { refunds, disputes, orders } = await readState<CreemState>(app);
    const { order = "" } = (command === "refund-failed" ? refunds : disputes)[returnId] ?? {};
    ended.push({ command, payment: orders[order]?.transaction ?? "", returnId });
  };
  return {
    ...{ person, email: person.email, pack: packBought.sessionId, plan, ended },
    lastPayment: () => findLastPayment(app, plan),
    buyPack: async () => (await app.buy("pack", { person })).sessionId,
    async spend(amount) {
      const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
        person.email,
      ]);
      const spend = { userId: user?.id ?? "", amount, source: `test:${person.email}:${amount}` };
      const { status } = await spendCredits(spend, databaseOf(app));
      if (status !== "spent") throw new Error(`${amount} credits: ${status}`);
    },
    refund: (payment, amount) => refund(app, payment, amount ? { amount } : {}),
    async failRefund(id) {
      await settleRefund(app, id, "failed");
      await end("refund-failed", id);
    },
    dispute: (payment, amount) => openDispute(app, payment, amount ? { amount } : {}),
    async winDispute(id) {
      await closeDispute(app, id, "won");
      await end("dispute-won", id);
    },
    loseDispute: (id) => closeDispute(app, id, "lost"),
    renew: (outcome = "succeed") => control(`/subscriptions/${plan}/renew`, { outcome }),
    collect: () => control(`/subscriptions/${plan}/collect`),
    changePlan: (target, period) => changePlan(app, { person, plan, target, period }),
    undoChange: () => control(`/subscriptions/${plan}/price`, { price: smallPlanOf(app) }),
    payAgain: () => control(`/subscriptions/${plan}/invoice`, { lines: [{ kind: "plan" }] }),
  };
}

function smallPlanOf({ provider, env }: PaymentServerUnderTest): string {
  return provider === "stripe"
    ? (env[priceVariable(PLAN_YEARLY)] ?? "")
    : (env[productVariable(PLAN_YEARLY)] ?? "");
}

interface CreemState {
  subscriptions: Record<string, { lastTransaction: string }>;
  refunds: Record<string, { order: string }>;
  disputes: Record<string, { order: string }>;
  orders: Record<string, { transaction: string }>;
}

interface StripeState {
  invoices: Record<string, { subscription: string; payments: { id: string }[] }>;
}

async function readState<State>(app: PaymentServerUnderTest): Promise<State> {
  return (await app.control(app.provider, "GET", "/state")).body as State;
}

async function findLastPayment(app: PaymentServerUnderTest, plan: string): Promise<string> {
  if (app.provider === "creem") {
    const { subscriptions } = await readState<CreemState>(app);
    return subscriptions[plan]?.lastTransaction ?? "";
  }
  const { invoices } = await readState<StripeState>(app);
  const last = Object.values(invoices).findLast(({ subscription }) => subscription === plan);
  return last?.payments[0]?.id ?? "";
}

async function changePlan(
  app: PaymentServerUnderTest,
  {
    person,
    plan,
    target,
    period,
  }: { person: Person; plan: string; target: string; period: string },
): Promise<void> {
  const [row] = await app.sql<{ id: string }>(
    "SELECT id FROM subscriptions WHERE provider_subscription_id = $1",
    [plan],
  );
  const path = `/en/account/billing/change?subscription=${row?.id}`;
  const { form } = await previewPlan(person, path, target, period);
  const response = await person.post(path, form);
  if (response.status !== 303) throw new Error(`the change: ${response.status}`);
  // A change counts from a second after the period's start at the earliest.
  const hasBegun = () =>
    app.sql(
      `SELECT 1 AS begun FROM subscriptions
       WHERE id = $1 AND now() > current_period_start + interval '2 seconds'`,
      [row?.id ?? ""],
    );
  await expect.poll(hasBegun).toHaveLength(1);
}

/**
 * Tells what the provider tells nobody, as an operator who reads its dashboard: of these payments, by
 * default of all.
 */
export async function tellEnded(
  app: PaymentServerUnderTest,
  { ended }: WeekCustomer,
  isWanted: (payment: string) => boolean = () => true,
): Promise<void> {
  for (const { command, payment, returnId } of ended.filter((one) => isWanted(one.payment))) {
    const named = command === "refund-failed" ? "--refund" : "--dispute";
    const args = [command, payment, "--provider", app.provider, named, returnId];
    const { code, stderr } = await runBilling(app, ...args);
    if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  }
}
