import type { Operation, Site } from "../plan/operations";
import { send } from "../world/http";
import type { ProviderEvent } from "../world/stand-ins";
import { codeOf } from "./answers";
import { deliver, deliveryOf, noteArrival } from "./deliveries";
import { must } from "./fault";
import { blur, forget, fromEnd, type Person } from "./person";
import { askCredits } from "./questions";
import { lookUp, type Stage } from "./stage";

// Operators' commands. What an account must have is the same before and after each.

/** Runs so many of the same command at once. Null if one ended by another code, which only a fault of the machines excuses. */
export async function order(
  stage: Stage,
  {
    args,
    copies = 1,
    code: wanted = 0,
  }: { args: readonly [string, ...string[]]; copies?: number; code?: number },
): Promise<string[] | null> {
  const began = performance.now();
  const ended = await Promise.all(
    Array.from({ length: copies }, () => stage.world.command(...args)),
  );
  const failed = ended.find(({ code }) => code !== wanted);
  must(
    !failed || stage.isStormy(began),
    `${args.join(" ")} ended with ${failed?.code}: ${failed?.output}`,
  );
  return failed ? null : ended.map(({ output }) => output);
}

/** Nothing is wrong with the account, so nothing is repaired. */
export async function repair(stage: Stage, person: Person): Promise<void> {
  const args = ["ledger", "repair", person.email, "--apply", "--reason", "torture"] as const;
  const outputs = await order(stage, { args });
  stage.count("operator: repair");
  const [output = ""] = outputs ?? [];
  must(!outputs || output.includes("nothing to repair"), `a sound account is repaired: ${output}`);
}

export async function retry(stage: Stage, { what }: Operation & { do: "retry" }): Promise<void> {
  const args = (
    { jobs: ["jobs", "retry", "--all-failed"], emails: ["emails", "retry", "--all"] } as const
  )[what];
  await order(stage, { args });
  stage.count(`operator: retry ${what}`);
}

/** A delivery that was applied has no effect again; one that failed has its effect, once. */
export async function replay(
  stage: Stage,
  person: Person,
  { what, back, copies, at }: Operation & { do: "replay" },
): Promise<void> {
  const failed = what === "failed" ? fromEnd(person.held, back) : undefined;
  if (failed) return replayFailed(stage, person, failed, { copies, at });
  const event = fromEnd(person.arrived, back);
  if (!event) return;
  const outputs = await order(stage, { args: ["webhooks", "replay", event.id], copies });
  stage.count("operator: replay of an applied delivery");
  if (outputs) return;
  // It may be left half done, and then its next copy ends it.
  person.applied.delete(event.id);
  blur(person);
}

async function replayFailed(
  stage: Stage,
  person: Person,
  event: ProviderEvent,
  { copies, at }: { copies: number; at: Site },
): Promise<void> {
  person.held = person.held.filter(({ id }) => id !== event.id);
  // Events that are still kept back may be older than this one, or newer.
  person.isCompared = false;
  const isStored = await failDelivery(stage, person, event, at);
  const outputs =
    isStored && (await order(stage, { args: ["webhooks", "replay", event.id], copies }));
  forget(person);
  if (outputs) {
    const isDone = outputs.some((output) => output.includes(`  processed`));
    must(isDone, `a failed delivery was tried again: ${outputs.join(" | ")}`);
    noteArrival(stage, person, event);
    stage.count("operator: replay of a failed delivery");
    return;
  }
  // Whether it is there isn't known, so it comes once more.
  blur(person);
  await deliver(stage, person, event, { copies: 1, at });
}

/** Delivers an event whose effects the database refuses at the end. Returns whether it is stored and has failed for sure. */
async function failDelivery(
  stage: Stage,
  person: Person,
  event: ProviderEvent,
  at: Site,
): Promise<boolean> {
  const began = performance.now();
  const key = [`id:${event.id}`];
  await lookUp(stage, "INSERT INTO torture.refused VALUES ($1) ON CONFLICT DO NOTHING", key);
  const { port } = stage.world.servers[at];
  const reply = await send({ ...deliveryOf(stage, event), port }).catch(() => null);
  await lookUp(stage, "DELETE FROM torture.refused WHERE delivery = $1", key);
  const hasFailed = reply?.status === 500 && codeOf(reply) === "webhook_failed";
  must(
    hasFailed || stage.isStormy(began),
    `${event.type}, which the database refuses, is answered by ${reply?.status} ${reply?.text}`,
  );
  stage.count("delivery that fails");
  if (!hasFailed || stage.isStormy(began)) return false;
  // None of it is there.
  await askCredits(stage, person, at, "session");
  return true;
}
