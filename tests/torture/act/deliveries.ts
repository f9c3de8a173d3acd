import { z } from "zod";
import { signAsCreem, signAsStripe } from "../../../scripts/lib/sign-delivery";
import type { Arrival, Operation, Site } from "../plan/operations";
import { createRandom } from "../random";
import type { ProviderEvent } from "../world/stand-ins";
import { readAnswer } from "./answers";
import { noteCharge, saleOf } from "./charges";
import { must } from "./fault";
import { blur, forget, fromEnd, isSteady, type Person } from "./person";
import { asJson, ask, type Stage } from "./stage";

const taken = z.object({ deduped: z.boolean() });

interface Signing {
  /** The shop's own, if it is left out. */
  secret?: string;
  at?: Date;
}

/** A delivery as its provider makes it at this moment. */
function signed(
  { world: { env } }: Stage,
  { provider, body }: ProviderEvent,
  { secret, at = new Date() }: Signing = {},
) {
  if (provider === "creem") return signAsCreem(secret ?? env.PROVIDER_B_WEBHOOK_SECRET ?? "")(body);
  return signAsStripe(secret ?? env.PROVIDER_A_WEBHOOK_SECRET ?? "")(body, at);
}

/** Delivers copies at once, at both servers in turns. Exactly one of all copies that ever come has an effect. */
export async function deliver(
  stage: Stage,
  person: Person,
  event: ProviderEvent,
  { copies, at }: { copies: number; at: Site },
): Promise<void> {
  const isNew = !person.arrived.some(({ id }) => id === event.id);
  const replies = await Promise.all(
    Array.from({ length: copies }, (_, copy) =>
      ask(stage, { ...deliveryOf(stage, event), at: (at + copy) % 2 === 0 ? 0 : 1 }, person),
    ),
  );
  const effects = replies.filter((reply) => {
    must(reply.status === 200, `${event.type} is answered by ${reply.status}: ${reply.text}`);
    return !readAnswer(reply, taken).deduped;
  });
  const wanted = isNew ? 1 : 0;
  const isOnce = effects.length <= 1 && (effects.length === 0 || !person.applied.has(event.id));
  must(isOnce, `${event.type} had an effect twice`);
  // A lost answer may have been the one.
  must(
    person.isBlurred || effects.length === wanted,
    `${copies} of ${event.type} had ${effects.length} effects`,
  );
  if (effects.length > 0) person.applied.add(event.id);
  noteArrival(stage, person, event);
  stage.count("delivery", copies);
}

/** From now on its copies have no effect, and what it tells is known. */
export function noteArrival(stage: Stage, person: Person, event: ProviderEvent): void {
  if (!person.arrived.some(({ id }) => id === event.id)) person.arrived.push(event);
  noteCharge(stage, person, event);
  const sale = saleOf(person, event);
  if (sale) sale.isTold = true;
}

/** The request of a delivery at this moment. */
export const deliveryOf = (stage: Stage, event: ProviderEvent) => ({
  ...{ method: "POST", path: "/api/payments/webhook", body: event.body },
  headers: { ...asJson, ...signed(stage, event) },
});

/** Delivers the provider's newest events, or keeps them back. */
export async function arrive(
  stage: Stage,
  person: Person,
  arrival: Arrival,
  { at, order }: { at: Site; order: number },
): Promise<void> {
  const events = person.fresh.splice(0);
  if (arrival.when === "later") {
    keepBack(stage, person, events);
    return;
  }
  const { copies, shuffled } = arrival;
  const arranged = shuffled ? createRandom(order).shuffled(events) : events;
  for (const event of arranged) await deliver(stage, person, event, { copies, at });
}

/** A comparison of the whole shop that is under way may tell of them at any moment. */
function keepBack(stage: Stage, person: Person, events: readonly ProviderEvent[]): void {
  person.held.push(...events);
  if (events.length > 0) person.isCompared = false;
  if (stage.comparisons.underWay > 0) blur(person);
}

/** Everything that was kept back arrives, in some order, and all that the provider had to tell by itself meanwhile. */
export async function deliverLate(
  stage: Stage,
  person: Person,
  { order, copies, at }: Operation & { do: "late" },
): Promise<void> {
  const events = createRandom(order).shuffled([
    ...person.held.splice(0),
    ...person.fresh.splice(0),
  ]);
  for (const event of events) await deliver(stage, person, event, { copies, at });
  if (events.length > 0) person.known = null;
}

export async function redeliver(
  stage: Stage,
  person: Person,
  { back, copies, at }: Operation & { do: "redeliver" },
): Promise<void> {
  const event = fromEnd(person.arrived, back);
  if (event) await deliver(stage, person, event, { copies, at });
}

/** An event that was applied comes once more, whatever happens meanwhile, and has no effect. `nth` chooses one of all such. */
export async function deliverAgain(
  stage: Stage,
  person: Person,
  { nth, at }: { nth: number; at: Site },
): Promise<void> {
  const events = person.arrived.filter(({ id }) => person.applied.has(id));
  const event = events[nth % events.length];
  if (!event) return;
  const reply = await ask(stage, { ...deliveryOf(stage, event), at });
  must(reply.status === 200, `${event.type} is answered by ${reply.status}: ${reply.text}`);
  must(readAnswer(reply, taken).deduped, `${event.type} had an effect twice`);
  stage.count("delivery during a step");
}

/** Lets no numbers be judged before the pause if a fault of the machines was met, or others change them. */
export function keepDoubt(person: Person): void {
  if (person.isBlurred) blur(person);
  if (!isSteady(person)) forget(person);
}

/** Stripe signs the time, too, and takes five minutes. */
const STALE_MS = 3_600_000;

/** A real event has no effect if nobody signed it, somebody else did, or it was signed long ago. */
export async function deliverAsStranger(
  stage: Stage,
  person: Person,
  { what, at }: { what: "unsigned" | "forged" | "stale"; at: Site },
): Promise<void> {
  const event = person.held.at(-1) ?? person.arrived.at(-1);
  // At Creem no time is signed.
  if (!event || (what === "stale" && event.provider === "creem")) return;
  const headers = {
    unsigned: {},
    forged: signed(stage, event, { secret: "whsec_of_somebody_else" }),
    stale: signed(stage, event, { at: new Date(Date.now() - STALE_MS) }),
  }[what];
  const request = { ...deliveryOf(stage, event), headers: { ...asJson, ...headers }, at };
  const { status } = await ask(stage, request);
  must(status === 400, `a delivery that is ${what} is answered by ${status}`);
}
