import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Arrival, Operation, Site } from "../plan/operations";
import { type Reply, send } from "../world/http";
import { checkoutAnswer, codeOf, readAnswer } from "./answers";
import { arrive } from "./deliveries";
import { must } from "./fault";
import { forget, type Person } from "./person";
import { press } from "./press";
import { asForm, asJson, ask, headersOf, orderAtProvider, type Stage } from "./stage";

// Plans at Stripe. What they bring is judged at the pauses: credits of a month come at a moment of the service's choice.

const EVENTS_MS = 60;
const SECOND = 1_000;

/** Providers count whole seconds: of two changes in one second nobody could tell which came last. */
const nextSecond = () => pause(SECOND - (Date.now() % SECOND) + 5);

const isAtStripe = ({ world }: Stage) => world.provider === "stripe";

export async function subscribe(
  stage: Stage,
  person: Person,
  { plan, period, arrival, at }: Operation & { do: "subscribe" },
): Promise<void> {
  const item = stage.sold.plans[plan % stage.sold.plans.length];
  if (!item || !isAtStripe(stage)) return;
  await nextSecond();
  const key = `plan-${person.userId}-${person.steps}`;
  const body = { planKey: item.planKey, period };
  const reply = await post(stage, person, at, "/api/payments/subscription/checkout", body, key);
  stage.count("plan: checkout");
  const code = codeOf(reply);
  if (code === "already_subscribed" || code === "idempotency_in_progress") return;
  must(reply.status === 200, `a plan's checkout is answered by ${reply.status} ${code}`);
  const { sessionId, url } = readAnswer(reply, checkoutAnswer);
  if (person.plans.some((known) => known.sessionId === sessionId)) return;
  await press(url, { intent: "pay" });
  const id = /"(sub_\w+)"/.exec(person.fresh.map(({ body: told }) => told).join(""))?.[1];
  if (id) person.plans.push({ id, sessionId });
  await take(stage, person, { arrival, at });
}

/** Begins the next period of each plan whose period is over, as often as time has passed. */
export async function renew(
  stage: Stage,
  person: Person,
  { arrival, at }: Operation & { do: "renew" },
): Promise<void> {
  if (!isAtStripe(stage)) return;
  for (const { id } of person.plans)
    for (let plan = await findPlan(stage, id); isOver(plan); plan = await findPlan(stage, id)) {
      if (!(await orderAtProvider(stage, `/subscriptions/${id}/renew`, {}))) break;
      stage.count("plan: renewal");
      await nextSecond();
    }
  await take(stage, person, { arrival, at });
}

const standing = z.object({
  status: z.string(),
  cancel_at: z.int().nullable(),
  items: z.object({ data: z.array(z.object({ current_period_end: z.int() })) }),
});

type Standing = z.output<typeof standing>;

const isOver = ({ status, items }: Standing) =>
  status === "active" && (items.data[0]?.current_period_end ?? 0) * SECOND <= Date.now();

/** Asks the stand-in itself: the roads are the service's. */
async function findPlan(stage: Stage, id: string): Promise<Standing> {
  return standing.parse(JSON.parse((await askProvider(stage, `/v1/subscriptions/${id}`)).text));
}

function askProvider({ world }: Stage, path: string, body?: string): Promise<Reply> {
  const { port } = new URL(world.standIns.controls.stripe);
  const headers = { ...asForm, Authorization: `Bearer ${world.env.PROVIDER_A_SECRET_KEY}` };
  const call = { port: Number(port), path, headers };
  return send(body === undefined ? call : { ...call, method: "POST", body });
}

/** Asks for the plan's end with its period, or for its going on. */
export async function decide(
  stage: Stage,
  person: Person,
  { do: what, arrival, at }: Operation & { do: "cancel" | "resume" },
): Promise<void> {
  if (!isAtStripe(stage) || person.plans.length === 0) return;
  await nextSecond();
  const reply = await post(stage, person, at, `/api/payments/subscription/${what}`, {});
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
  if (!isAtStripe(stage) || !plan) return;
  const { status, cancel_at: end } = await findPlan(stage, plan.id);
  if (status !== "active" || (what === "end") === (end !== null)) return;
  await nextSecond();
  if (what === "keep") await orderAtProvider(stage, `/subscriptions/${plan.id}/keep`, {});
  else await askProvider(stage, `/v1/subscriptions/${plan.id}`, "cancel_at_period_end=true");
  stage.count(`plan: ${what} at the provider`);
  await take(stage, person, { arrival, at });
}

/** Changes the plan by the page's form, for the price that the page shows. */
export async function changePlan(
  stage: Stage,
  person: Person,
  { plan, arrival, at }: Operation & { do: "change" },
): Promise<void> {
  const target = stage.sold.plans[plan % stage.sold.plans.length];
  if (!isAtStripe(stage) || person.plans.length === 0 || !target) return;
  await nextSecond();
  const path = `/en/account/billing/change?plan=${target.planKey}&period=month`;
  const headers = headersOf(person);
  const page = await ask(stage, { at, path, headers }, person);
  const fields = page.text.matchAll(
    /<input type="hidden" name="(plan|period|at|amountDue)" value="([^"]*)"/g,
  );
  const form = new URLSearchParams([...fields].map(([, name = "", value = ""]) => [name, value]));
  stage.count("plan: page of a change");
  if (page.status !== 200 || !form.has("plan")) return;
  form.set("intent", "change");
  const body = form.toString();
  const asked = { at, method: "POST", path, headers: { ...headers, ...asForm }, body };
  const reply = await ask(stage, asked, person);
  must(reply.status < 500, `a change of plan is answered by ${reply.status}`);
  stage.count(`plan: change ${reply.status}`);
  await take(stage, person, { arrival, at });
}

/** A part of the plan's last payment goes back, or is disputed. */
export async function givePlanBack(
  stage: Stage,
  person: Person,
  { of, tenths, arrival, at }: Operation & { do: "plan return" },
): Promise<void> {
  const plan = person.plans.at(-1);
  const [cheapest] = stage.sold.plans;
  if (!isAtStripe(stage) || !plan || !cheapest) return;
  // All of it, or tenths of the smallest price: the provider gives back no more than there is.
  const amount = Math.ceil((cheapest.amounts.month * tenths) / 10);
  const wanted = tenths === 10 ? {} : { amount };
  const made = await orderAtProvider(stage, `/payments/${plan.id}/${of}`, wanted);
  if (!made) return;
  person.returns.push({ id: String(made.id), of });
  stage.count(`plan: ${of}`);
  await take(stage, person, { arrival, at });
}

function post(
  stage: Stage,
  person: Person,
  at: Site,
  path: string,
  body: object,
  key?: string,
): Promise<Reply> {
  const headers: Record<string, string> = { ...headersOf(person), ...asJson };
  if (key !== undefined) headers["Idempotency-Key"] = key;
  return ask(stage, { at, method: "POST", path, headers, body: JSON.stringify(body) }, person);
}

/** The provider's events arrive as they may, a moment after what they tell of. */
async function take(
  stage: Stage,
  person: Person,
  { arrival, at }: { arrival: Arrival; at: Site },
): Promise<void> {
  await pause(EVENTS_MS);
  forget(person);
  await arrive(stage, person, arrival, { at, order: person.steps });
}
