import type { AccountFault } from "./judge/judge";
import { readAccount } from "./judge/read-account";
import type { World } from "./world/world";

/** Tells the account's events and its ledger, for somebody who wants to know why. */
export async function tellStory(
  world: World,
  { person, message }: AccountFault,
): Promise<string[]> {
  const stored = await readAccount(world.database, person.userId).catch(() => null);
  const rows = (stored?.rows ?? []).map(
    ({ id, at, type, amount, balanceAfter, source, moved }) =>
      `  ${id}  ${at.toISOString()}  ${type} ${amount} → ${balanceAfter}  ${source}  ${moved.map((part) => `${part.lot}:${part.amount}`).join(" ")}`,
  );
  return [
    `The account ${person.email} (${person.userId}):`,
    ...message.split("\n").map((line) => `  ${line}`),
    "Its steps, with what it knew it could spend before and after each:",
    ...person.story.map((line) => `  ${line}`),
    "Its ledger:",
    ...rows,
  ];
}
