import type { Person } from "../act/person";
import type { Stage } from "../act/stage";
import { AccountFault } from "./judge";

const HOUR = 3_600_000;

/** An upload that began before the deletion may arrive for as long as its address is valid. An hour later none of it is there. */
export async function judgeGoneFiles(stage: Stage, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    if (!person.isGone || Date.now() - person.goneAt < HOUR) continue;
    const left = await stage.world.standIns.objectsOf(person.userId);
    if (left.length > 0)
      throw new AccountFault(
        person,
        `the account is deleted, and ${left.length} of its files are in the store: ${left[0]}`,
      );
    stage.count("deleted account's files judged");
  }
}
