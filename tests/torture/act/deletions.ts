import type { Operation } from "../plan/operations";
import { saleOf } from "./charges";
import { PASSWORD, signIn } from "./entering";
import { must } from "./fault";
import { hasOpenRuns, isSteady, newPerson, type Person, type Sale } from "./person";
import { asForm, headersOf, lookUp, type Stage, TURN_MS, tryOnce } from "./stage";

/** Deletes the account by its form. While a plan renews or a run goes on it is refused, and its keys may be revoked. */
export async function deleteAccount(
  stage: Stage,
  person: Person,
  { at }: Operation & { do: "delete" },
): Promise<void> {
  await signIn(stage, person);
  const began = performance.now();
  const path = "/en/account/delete";
  const body = new URLSearchParams({ currentPassword: PASSWORD }).toString();
  const headers = { ...headersOf(person), ...asForm };
  const reply = await tryOnce(stage, { at, echo: TURN_MS, method: "POST", path, headers, body });
  stage.count("deletion");
  const isDone = await isTombstone(stage, person);
  must(
    !reply || reply.status === (isDone ? 303 : 409),
    `a deletion is answered by ${reply?.status}`,
  );
  const isHeld = !isSteady(person) || hasOpenRuns(person) || stage.isStormy(began - TURN_MS);
  must(isDone || isHeld, "an account without plan, top-up or run can't be deleted");
  person.key = null;
  if (!isDone) return;
  Object.assign(person, { isGone: true, goneAt: Date.now() });
  const files = await stage.world.standIns.objectsOf(person.userId);
  if (files.length > 0) stage.count("file of a deleted account", files.length);
  for (const sale of person.sales) {
    if (sale.isTold && wasSeen(person, sale)) continue;
    // A process that died with an event keeps it for two minutes: copies are taken, and have no effect.
    Object.assign(sale, { isLost: true, mayBeTold: sale.isTold || sale.mayBeTold });
  }
}

/** Whether an answer said that the event of a sale had its effect. */
const wasSeen = (person: Person, sale: Sale): boolean =>
  person.arrived.some((event) => person.applied.has(event.id) && saleOf(person, event) === sale);

async function isTombstone(stage: Stage, { userId, email }: Person): Promise<boolean> {
  const [row] = await lookUp<{ email: string }>(stage, "SELECT email FROM users WHERE id = $1", [
    userId,
  ]);
  return row?.email !== email;
}

/** The owner of a deleted account comes back with the same address, as somebody new. */
export const comeBack = ({ name, email, address }: Person): Person => ({
  ...newPerson(name, email, address),
  isBack: true,
});
