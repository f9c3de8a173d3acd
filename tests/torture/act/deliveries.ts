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

/** A delivery as its provider makes it at this moment. */
function signed({ world: { env } }: Stage, { provider, body }: ProviderEvent) {
  if (provider === "creem") return signAsCreem(env.PROVIDER_B_WEBHOOK_SECRET ?? "")(body);
  return signAsStripe(env.PROVIDER_A_WEBHOOK_SECRET ?? "")(body, new Date());
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
  // A lost answer may have been the one.
  if (person.isBlurred) must(effects.length <= 1, `${event.type} had an effect twice`);
  else must(effects.length === wanted, `${copies} of ${event.type} had ${effects.length} effects`);
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

/** Everything that was kept back arrives, in some order. */
export async function deliverLate(
  stage: Stage,
  person: Person,
  { order, copies, at }: Operation & { do: "late" },
): Promise<void> {
  const events = createRandom(order).shuffled(person.held.splice(0));
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

/** Lets no numbers be judged before the pause if a fault of the machines was met, or others change them. */
export function keepDoubt(person: Person): void {
  if (person.isBlurred) blur(person);
  if (!isSteady(person)) forget(person);
}
