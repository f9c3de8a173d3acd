import { CURRENCY, type PlanKey } from "~/catalog";
import type { Database } from "~/db.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import type { BillingEvent, InvoicePaid, ReturnKind } from "~/services/payments/billing-event";
import { addMonths } from "~/utils/add-months";
import { PLAN, TOP_PLAN } from "../fixtures/sold";
import { applyEvents, newSubscription, paymentReturned } from "./billing";
import { createUser } from "./credits";
import type { Step } from "./month-history";
import { setClock } from "./subscription-world";

const DAY = 24 * 60 * 60 * 1000;
/** When every history begins. */
export const START = new Date("2026-01-05T10:00:00Z");

interface Sale {
  invoice: InvoicePaid;
  at: Date;
  end: Date;
  isUpgrade: boolean;
  /** Credits per month. */
  credits: number;
}

interface Row {
  of: number;
  kind: ReturnKind;
  amount: number;
  state: "succeeded" | "failed" | "open" | "won" | "lost";
  id: string;
}

const FIRST_NEWS = { refund: "pending", dispute: "open" } as const;
/** Of the first and the last plan: `setUpBillingEnv` gives them these amounts. */
const PRICES = { small: 900, large: 2900, difference: 2000 };
const CREDITS = { small: 300, large: 1200, difference: 900 };

/** One customer's plan, its payments and what goes back of them, as the provider knows them. */
export async function openMonthWorld(db: Database, interval: "year" | "month") {
  await setClock(db, START);
  const userId = await createUser(db);
  const subscription = newSubscription(userId);
  const isYear = interval === "year";
  const sales: Sale[] = [];
  const rows: Row[] = [];
  const told: BillingEvent[] = [];
  const held: BillingEvent[] = [];
  const spends: { source: string; amount: number }[] = [];
  let now = START;
  let plan: PlanKey = PLAN.planKey;
  let isHolding = false;

  async function send(event: BillingEvent): Promise<void> {
    told.push(event);
    if (isHolding) held.push(event);
    else await applyEvents(db, event);
  }

  async function sell(at: Date, end: Date, isUpgrade: boolean): Promise<void> {
    const size = plan === PLAN.planKey ? "small" : "large";
    const item = isUpgrade ? "difference" : size;
    const amount = PRICES[item] * (isYear ? 10 : 1);
    const priceId = `price_${plan}_${interval}`;
    const covers = isUpgrade ? "upgrade" : "period";
    const payments = [{ id: `pi_${sales.length}_${userId}`, amount }];
    const invoice = subscription.paid(at, end, { covers, amount, priceId, payments });
    const begins = isUpgrade ? (basePeriod()?.at ?? at) : at;
    sales.push({ invoice, at, end, isUpgrade, credits: CREDITS[item] });
    const changed = subscription.changed(begins, end, { priceId, occurredAt: at });
    await send({ ...changed, startedAt: START });
    await send(invoice);
  }

  const basePeriod = () => sales.findLast(({ isUpgrade }) => !isUpgrade);
  const sumAway = (of: number) =>
    rows
      .filter((row) => row.of === of && ["succeeded", "open", "lost"].includes(row.state))
      .reduce((total, { amount }) => total + amount, 0);

  const tell = (
    { of, kind, id, amount, state }: Omit<Row, "state"> & { state: Row["state"] | "pending" },
    occurredAt: Date | null,
  ) =>
    send(
      paymentReturned({
        ...{ of: kind, returnId: id, state, amount, currency: CURRENCY, occurredAt },
        paymentId: sales[of]?.invoice.payments[0]?.id ?? "",
      }),
    );

  async function pass(hours: number): Promise<void> {
    now = new Date(now.getTime() + hours * 60 * 60 * 1000);
    await setClock(db, now);
    if (isYear) return;
    for (let last = basePeriod(); last && last.end <= now; last = basePeriod()) {
      const months = sales.filter(({ isUpgrade }) => !isUpgrade).length;
      await sell(last.end, addMonths(START, months + 1), false);
    }
  }

  async function upgrade(): Promise<void> {
    const base = basePeriod();
    const isTooLate = base && now.getTime() > base.end.getTime() - 5 * DAY;
    if (plan === TOP_PLAN.planKey || !base || now <= base.at || isTooLate) return;
    plan = TOP_PLAN.planKey;
    await sell(now, base.end, true);
  }

  async function giveBack(kind: ReturnKind, at: number, tenths: number): Promise<void> {
    const of = at % sales.length;
    const whole = sales[of]?.invoice.amount ?? 0;
    const wanted = Math.floor((whole * tenths) / 10);
    const amount = kind === "refund" ? Math.min(wanted, whole - sumAway(of)) : wanted;
    if (amount <= 0) return;
    const state = kind === "refund" ? "succeeded" : "open";
    const row: Row = { of, kind, amount, state, id: `r_${userId}_${rows.length}` };
    rows.push(row);
    await tell(row, now);
  }

  async function end(at: number, well: boolean): Promise<void> {
    const row = rows[at];
    if (!row || ["failed", "won", "lost"].includes(row.state)) return;
    if (row.kind === "refund" && !well) return;
    row.state = row.kind === "refund" ? "failed" : well ? "won" : "lost";
    await tell(row, now);
  }

  await sell(START, isYear ? addMonths(START, 12) : addMonths(START, 1), false);

  return {
    userId,
    isAllTold: () => held.length === 0,

    async take(step: Step): Promise<void> {
      if (step.do === "pass") await pass(step.hours);
      else if (step.do === "hold") isHolding = step.on;
      else if (step.do === "release") {
        const [event] = held.splice(step.at % Math.max(1, held.length), 1);
        if (event) await applyEvents(db, event);
      } else if (step.do === "upgrade") await upgrade();
      else if (step.do === "refund" || step.do === "dispute")
        await giveBack(step.do, step.of, step.tenths);
      else if (step.do === "end") await end(step.row, step.well);
      else if (step.do === "late") {
        const row = rows[step.row];
        if (row) await tell({ ...row, state: FIRST_NEWS[row.kind] }, null);
      } else if (step.do === "spend") {
        const spend = { source: `test:${userId}:${spends.length}`, amount: step.amount };
        const { status } = await spendCredits({ userId, ...spend }, db);
        if (status === "spent") spends.push(spend);
      } else {
        const spend = spends[step.spend];
        if (spend) await db.$transaction((t) => refundSpends([{ source: spend.source }], t));
      }
    },

    /** Tells all that is held, the middle first. */
    async tellHeld(meanwhile: () => Promise<unknown>): Promise<void> {
      while (held.length > 0) {
        const [event] = held.splice(held.length >> 1, 1);
        if (event) await applyEvents(db, event);
        await meanwhile();
      }
      await matchKeptReturns({ limit: 100 }, db);
    },

    /** Tells everything once more, the last first. */
    async tellAgain(): Promise<void> {
      for (const event of told.toReversed()) await applyEvents(db, event);
    },

    /** The credits that the parts of the running month give, of what isn't away. */
    worth(): number {
      let months = 0;
      while (addMonths(START, months + 1) <= now) months += 1;
      const [from, to] = [addMonths(START, months), addMonths(START, months + 1)];
      const length = to.getTime() - from.getTime();
      return sales
        .map(({ invoice, at, end, credits }, of) => {
          if (at > now || end <= now) return 0;
          const left = to.getTime() - at.getTime();
          const isWhole = at <= from || left >= 27 * DAY;
          const gave = isWhole ? credits : Math.ceil((credits * left) / length);
          const whole = invoice.amount ?? 0;
          return gave - Math.floor((gave * Math.min(sumAway(of), whole)) / whole);
        })
        .reduce((total, credits) => total + credits, 0);
    },
  };
}
