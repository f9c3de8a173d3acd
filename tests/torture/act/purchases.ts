import { CURRENCIES, type Operation } from "../plan/operations";
import type { Reply } from "../world/http";
import type { ProviderEvent } from "../world/stand-ins";
import { checkoutAnswer, codeOf, readAnswer } from "./answers";
import { arrive } from "./deliveries";
import { must } from "./fault";
import type { Person, Sale } from "./person";
import { pay } from "./press";
import { asJson, ask, headersOf, orderAtProvider, type Stage } from "./stage";

/** Once the provider was asked, a checkout's key keeps the answer, this one, too. */
export const PROVIDER_ERROR = "provider_error";

/** Whether a checkout was answered so, which only a fault of the machines excuses. Another key would begin another one. */
export function isProviderAway(stage: Stage, reply: Reply, began: number): boolean {
  if (codeOf(reply) !== PROVIDER_ERROR) return false;
  must(stage.isStormy(began), "a checkout finds no provider, while nothing was broken");
  stage.count("checkout: no provider");
  return true;
}

export async function buy(
  stage: Stage,
  person: Person,
  { pack, code, currency, arrival, at }: Operation & { do: "buy" },
): Promise<void> {
  const item = stage.sold.packs[pack % stage.sold.packs.length];
  if (!item) return;
  const began = performance.now();
  const key = `buy-${person.userId}-${person.steps}`;
  const reply = await ask(
    stage,
    {
      ...{ at, method: "POST", path: "/api/payments/checkout" },
      headers: { ...headersOf(person), ...asJson, "Idempotency-Key": key },
      body: JSON.stringify({ skuKey: item.skuKey }),
      kept: PROVIDER_ERROR,
    },
    person,
  );
  // The first request is still at it.
  if (codeOf(reply) === "idempotency_in_progress") return;
  if (isProviderAway(stage, reply, began)) return;
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
