import { setTimeout as pause } from "node:timers/promises";
import type { Arrival, Operation, Site } from "../plan/operations";
import type { Reply } from "../world/http";
import { checkoutAnswer, codeOf, readAnswer } from "./answers";
import { arrive } from "./deliveries";
import { must } from "./fault";
import { judgePlansAfter } from "./judge-now";
import { forget, type Person } from "./person";
import { decideInPortal, findPlan } from "./plan-there";
import { pay } from "./press";
import { isProviderAway, PROVIDER_ERROR } from "./purchases";
import { noteReturn } from "./returns";
import {
  asForm,
  asJson,
  ask,
  headersOf,
  orderAtProvider,
  type Stage,
  settleEvents,
  TURN_MS,
} from "./stage";

// The credits of plans are judged at the pauses: credits of a month come at a moment of the service's choice.

const SECOND = 1_000;

/** Providers count whole seconds: of two changes in one second nobody could tell which came last. */
const nextSecond = () => pause(SECOND - (Date.now() % SECOND) + 5);

export async function subscribe(
  stage: Stage,
  person: Person,
  { plan, period, code, arrival, at }: Operation & { do: "subscribe" },
): Promise<void> {
  const item = stage.sold.plans[plan % stage.sold.plans.length];
  if (!item) return;
  await nextSecond();
  const began = performance.now();
  const key = `plan-${person.userId}-${person.steps}`;
  const body = { planKey: item.planKey, period };
  const path = "/api/payments/subscription/checkout";
  const reply = await post(stage, person, { at, path, body, key, kept: PROVIDER_ERROR });
  stage.count("plan: checkout");
  if (isProviderAway(stage, reply, began)) return;
  const refusal = codeOf(reply);
  if (refusal === "already_subscribed" || refusal === "idempotency_in_progress") return;
  must(reply.status === 200, `a plan's checkout is answered by ${reply.status} ${refusal}`);
  const { sessionId, url } = readAnswer(reply, checkoutAnswer);
  if (person.plans.some((known) => known.sessionId === sessionId)) return;
  await pay(stage, url, code);
  const id = /"(sub_(?!total)\w+)"/.exec(person.fresh.map(({ body: told }) => told).join(""))?.[1];
  if (id) person.plans.push({ id, sessionId });
  await take(stage, person, { arrival, at });
}

/** Begins the next period of each plan whose period is over, as often as time has passed, or until a payment fails. */
export async function renew(
  stage: Stage,
  person: Person,
  { fails, arrival, at }: Operation & { do: "renew" },
): Promise<void> {
  const outcome = fails ? "fail" : "succeed";
  for (const { id } of person.plans)
    for (let plan = await findPlan(stage, id); isOver(plan); plan = await findPlan(stage, id)) {
      if (!(await orderAtProvider(stage, `/subscriptions/${id}/renew`, { outcome }))) break;
      stage.count(fails ? "plan: renewal that fails" : "plan: renewal");
      await nextSecond();
    }
  await take(stage, person, { arrival, at });
}

const isOver = ({ isRunning, periodEnd }: Awaited<ReturnType<typeof findPlan>>) =>
  isRunning && periodEnd <= Date.now();

/** Payments that failed are made after all. */
export async function collect(
  stage: Stage,
  person: Person,
  { arrival, at }: Operation & { do: "collect" },
): Promise<void> {
  for (const { id } of person.plans) {
    if (!(await findPlan(stage, id)).isUnpaid) continue;
    await nextSecond();
    await orderAtProvider(stage, `/subscriptions/${id}/collect`, {});
    stage.count("plan: paid later");
  }
  await take(stage, person, { arrival, at });
}

/** Asks for the plan's end with its period, or for its going on. */
export async function decide(
  stage: Stage,
  person: Person,
  { do: what, arrival, at }: Operation & { do: "cancel" | "resume" },
): Promise<void> {
  if (person.plans.length === 0) return;
  await nextSecond();
  const path = `/api/payments/subscription/${what}`;
  const reply = await post(stage, person, { at, path, body: {} });
  const isRefused = ["no_subscription", "subscription_ended"].includes(codeOf(reply) ?? "");
  must(
    isRefused || reply.status === 200,
    `${what} is answered by ${reply.status} ${codeOf(reply)}`,
  );
  stage.count(`plan: ${what}`);
  await take(stage, person, { arrival, at });
}

/** The customer does the same at the provider. */
export async function decideThere(
  stage: Stage,
  person: Person,
  { what, arrival, at }: Operation & { do: "portal" },
): Promise<void> {
  const plan = person.plans.at(-1);
  if (!plan) return;
  const { isRunning, ends } = await findPlan(stage, plan.id);
  if (!isRunning || (what === "end") === ends) return;
  await nextSecond();
  await decideInPortal(stage, plan.id, what);
  stage.count(`plan: ${what} at the provider`);
  await take(stage, person, { arrival, at });
}

/** Changes the plan by the page's form, for the price that the page shows. A plan that ends is kept first, and a planned change undone. */
export async function changePlan(
  stage: Stage,
  person: Person,
  { plan, arrival, at }: Operation & { do: "change" },
): Promise<void> {
  const target = stage.sold.plans[plan % stage.sold.plans.length];
  if (person.plans.length === 0 || !target) return;
  await nextSecond();
  const path = `/en/account/billing/change?plan=${target.planKey}&period=month`;
  let page = await askPage(stage, person, { at, path });
  const undo = page.text.includes('value="undo"') ? path : null;
  const first = undo ?? /action="([^"]*\/resume\?[^"]*)"/.exec(page.text)?.[1];
  if (first) {
    const fields: [string, string][] = undo ? [["intent", "undo"]] : [];
    const kept = await sendForm(stage, person, { at, path: first, fields });
    must(kept.status < 500, `a plan is kept with ${kept.status}`);
    stage.count(undo ? "plan: planned change undone" : "plan: kept to be changed");
    await nextSecond();
    page = await askPage(stage, person, { at, path });
  }
  const shown = page.text.matchAll(
    /<input type="hidden" name="(plan|period|at|amountDue)" value="([^"]*)"/g,
  );
  const fields = [...shown].map(([, name = "", value = ""]): [string, string] => [name, value]);
  if (page.status === 200 && fields.some(([name]) => name === "plan")) {
    fields.push(["intent", "change"]);
    const reply = await sendForm(stage, person, { at, path, fields });
    must(reply.status < 500, `a change of plan is answered by ${reply.status}`);
    stage.count(`plan: change ${reply.status}`);
  } else {
    // Money of the period is away, or nobody paid for it.
    stage.count("plan: no change is offered");
  }
  await take(stage, person, { arrival, at });
  // Before any of its money goes back.
  await judgePlansAfter(stage, person, "a change of plan");
}

const askPage = (stage: Stage, person: Person, page: { at: Site; path: string }) =>
  ask(stage, { ...page, headers: headersOf(person) }, person);

function sendForm(
  stage: Stage,
  person: Person,
  { fields, ...page }: { at: Site; path: string; fields: [string, string][] },
): Promise<Reply> {
  const headers = { ...headersOf(person), ...asForm };
  const body = new URLSearchParams(fields).toString();
  return ask(stage, { ...page, echo: TURN_MS, method: "POST", headers, body }, person);
}

/** A part of the plan's last payment goes back, or is disputed. */
export async function givePlanBack(
  stage: Stage,
  person: Person,
  { of, tenths, arrival, at }: Operation & { do: "plan return" },
): Promise<void> {
  const plan = person.plans.at(-1);
  const [cheapest] = stage.sold.plans;
  if (!plan || !cheapest) return;
  // All of it, or tenths of the smallest price: the provider gives back no more than there is.
  const amount = Math.ceil((cheapest.amounts.month * tenths) / 10);
  const wanted = tenths === 10 ? {} : { amount };
  const made = await orderAtProvider(stage, `/payments/${plan.id}/${of}`, wanted);
  if (!made) return;
  noteReturn(person, of, made);
  stage.count(`plan: ${of}`);
  await take(stage, person, { arrival, at });
}

function post(
  stage: Stage,
  person: Person,
  { body, key, ...page }: { at: Site; path: string; body: object; key?: string; kept?: string },
): Promise<Reply> {
  const headers: Record<string, string> = { ...headersOf(person), ...asJson };
  if (key !== undefined) headers["Idempotency-Key"] = key;
  const asked = { ...page, echo: TURN_MS, method: "POST", headers, body: JSON.stringify(body) };
  return ask(stage, asked, person);
}

/** The provider's events arrive as they may, a moment after what they tell of. */
async function take(
  stage: Stage,
  person: Person,
  { arrival, at }: { arrival: Arrival; at: Site },
): Promise<void> {
  await settleEvents(stage);
  forget(person);
  await arrive(stage, person, arrival, { at, order: person.steps });
}
