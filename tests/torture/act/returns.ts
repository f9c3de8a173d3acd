import type { Operation } from "../plan/operations";
import { arrive } from "./deliveries";
import { must } from "./fault";
import { order } from "./operators";
import { forget, fromEnd, type Person, type Return } from "./person";
import { orderAtProvider, type Stage } from "./stage";

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
  noteReturn(person, of, made);
  forget(person);
  await arrive(stage, person, arrival, { at, order: person.steps });
  stage.count(of);
}

/** A return as its provider made it. */
export function noteReturn(person: Person, of: Return["of"], made: Record<string, unknown>): void {
  person.returns.push({ id: String(made.id), of, paymentId: String(made.order ?? made.payment) });
}

/** A refund or a dispute comes to its end. */
export async function settle(
  stage: Stage,
  person: Person,
  { back, well, arrival, at }: Operation & { do: "settle" },
): Promise<void> {
  const found = fromEnd(person.returns, back);
  if (!found) return;
  const [path, status] =
    found.of === "refund"
      ? [`/refunds/${found.id}/status`, well ? "succeeded" : "failed"]
      : [`/disputes/${found.id}/status`, well ? "won" : "lost"];
  const settled = await orderAtProvider(stage, path, { status });
  if (!settled) return;
  forget(person);
  stage.count(`${found.of}: ${status}`);
  if (stage.world.provider === "stripe")
    return arrive(stage, person, arrival, { at, order: person.steps });
  if (status !== "failed" && status !== "won") return;
  // A delivery that came may still be in the hands of a server that died.
  if (person.isBlurred) tellLater(person, found);
  else await tellEnd(stage, person, found, 1 + (person.steps % 2));
}

/**
 * Creem tells nobody how a return ends. An operator who sees it there tells here that the refund failed, or the dispute was won, by as
 * many commands at once. Until the return's event has come nothing of it is away here, so the command has to refuse; then it is told at
 * the next pause after the event.
 */
async function tellEnd(stage: Stage, person: Person, end: Return, copies: number): Promise<void> {
  const isKnown = person.arrived.some(({ body }) => body.includes(end.id));
  const name = end.of === "refund" ? "refund-failed" : "dispute-won";
  const outputs = await order(stage, {
    args: ["billing", name, end.paymentId, "--provider", "creem", `--${end.of}`, end.id],
    ...{ copies, code: isKnown ? 0 : 1 },
  });
  stage.count(`operator: ${name}${isKnown ? "" : ", too early"}`, copies);
  if (!isKnown || !outputs) return tellLater(person, end);
  person.untoldEnds = person.untoldEnds.filter((other) => other !== end);
  const given = outputs.filter((output) => /\d+ credits given back/.test(output));
  must(given.length <= 1, `${name} of ${end.id} was told twice: ${outputs.join(" | ")}`);
}

function tellLater({ untoldEnds }: Person, end: Return): void {
  if (!untoldEnds.includes(end)) untoldEnds.push(end);
}

/** Tells all that couldn't be told before. */
export async function tellEnds(stage: Stage, person: Person): Promise<void> {
  for (const end of [...person.untoldEnds])
    if (person.arrived.some(({ body }) => body.includes(end.id)))
      await tellEnd(stage, person, end, 1);
}
