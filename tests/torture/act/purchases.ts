import { CURRENCIES, type Operation } from "../plan/operations";
import type { ProviderEvent } from "../world/stand-ins";
import { checkoutAnswer, codeOf, readAnswer } from "./answers";
import { arrive } from "./deliveries";
import { must } from "./fault";
import { forget, fromEnd, type Person, type Sale } from "./person";
import { pay } from "./press";
import { asJson, ask, headersOf, orderAtProvider, type Stage } from "./stage";

export async function buy(
  stage: Stage,
  person: Person,
  { pack, code, currency, arrival, at }: Operation & { do: "buy" },
): Promise<void> {
  const item = stage.sold.packs[pack % stage.sold.packs.length];
  if (!item) return;
  const key = `buy-${person.userId}-${person.steps}`;
  const reply = await ask(
    stage,
    {
      ...{ at, method: "POST", path: "/api/payments/checkout" },
      headers: { ...headersOf(person), ...asJson, "Idempotency-Key": key },
      body: JSON.stringify({ skuKey: item.skuKey }),
    },
    person,
  );
  // The first request is still at it.
  if (codeOf(reply) === "idempotency_in_progress") return;
  must(reply.status === 200, `a checkout is answered by ${reply.status} ${codeOf(reply)}`);
  const { sessionId, url } = readAnswer(reply, checkoutAnswer);
  stage.count("checkout");
  const before = person.known;
  const sale: Sale = {
    ...{ sessionId, pack, credits: item.credits, paid: 0 },
    ...{ isAbroad: false, isTold: false, mayBeTold: false, isLost: false, at: Date.now() },
  };
  person.sales.push(sale);
  await pay(stage, url, code);
  sale.paid = paidIn(person.fresh);
  if (currency && sale.paid > 0) await chargeAbroad(stage, sale, currency);
  await arrive(stage, person, arrival, { at, order: person.steps });
  if (arrival.when === "later") return;
  person.known = before === null ? null : before + item.credits;
}

/** Minor units that the provider says it was paid. */
function paidIn(events: readonly ProviderEvent[]): number {
  for (const { body } of events) {
    const amount =
      /"amount_total":\s*(\d+)/.exec(body) ?? /"order":\s*\{[^{}]*"amount":\s*(\d+)/.exec(body);
    if (amount) return Number(amount[1]);
  }
  return 0;
}

/** The bank charges in a currency of its own. Nobody is told before money goes back in it. */
async function chargeAbroad(
  stage: Stage,
  sale: Sale,
  currency: keyof typeof CURRENCIES,
): Promise<void> {
  const charge = { amount: Math.ceil((sale.paid * CURRENCIES[currency]) / 100), currency };
  if (!(await orderAtProvider(stage, `/payments/${sale.sessionId}/charge`, charge, "PUT"))) return;
  Object.assign(sale, { paid: charge.amount, isAbroad: true });
  stage.count(`checkout: charged in ${currency}`);
}

/** Money goes back, or is disputed. */
export async function giveBack(
  stage: Stage,
  person: Person,
  { of, back, tenths, arrival, at }: Operation & { do: "return" },
): Promise<void> {
  const sale = fromEnd(person.sales, back);
  if (!sale) return;
  if (sale.paid === 0) return;
  // A dispute doesn't say what was charged; in another currency it waits for an operator (docs/payments.md).
  if (sale.isAbroad && of === "dispute") return;
  const amount = Math.ceil((sale.paid * tenths) / 10);
  const made = await orderAtProvider(stage, `/payments/${sale.sessionId}/${of}`, { amount });
  if (!made) return;
  person.returns.push({ id: String(made.id), of });
  forget(person);
  await arrive(stage, person, arrival, { at, order: person.steps });
  stage.count(of);
}

/** A refund or a dispute comes to its end. */
export async function settle(
  stage: Stage,
  person: Person,
  { back, well, arrival, at }: Operation & { do: "settle" },
): Promise<void> {
  const found = fromEnd(person.returns, back);
  // Creem tells nobody how it ends.
  if (!found || stage.world.provider === "creem") return;
  const [path, status] =
    found.of === "refund"
      ? [`/refunds/${found.id}/status`, well ? "succeeded" : "failed"]
      : [`/disputes/${found.id}/status`, well ? "won" : "lost"];
  const settled = await orderAtProvider(stage, path, { status });
  if (!settled) return;
  forget(person);
  await arrive(stage, person, arrival, { at, order: person.steps });
  stage.count(`${found.of}: ${status}`);
}
