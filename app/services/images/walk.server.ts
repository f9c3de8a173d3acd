import { z } from "zod";
import { FAILURE_CLASSES } from "~/services/images/image-provider.server";

/** A call that brought nothing. */
export const attemptSchema = z.object({
  provider: z.enum(["fal", "replicate", "openai"]),
  outcome: z.enum(FAILURE_CLASSES),
  /** When the same provider is asked again, if at all: before or after the others. */
  again: z.enum(["now", "later"]).nullable(),
});

export type Attempt = z.output<typeof attemptSchema>;

/** A provider's turn, and how often it was asked before. */
export interface Turn<Provider> {
  provider: Provider;
  tries: number;
}

/** Lines up providers after these attempts. A process that goes on with another's run gets the same line. */
export function lineUp<Provider extends { name: string }>(
  providers: readonly Provider[],
  attempts: readonly Attempt[],
): Turn<Provider>[] {
  const line = providers.map((provider) => ({ provider, tries: 0 }));
  for (const { provider, again } of attempts) {
    const at = line.findIndex((turn) => turn.provider.name === provider);
    const [turn] = at === -1 ? [] : line.splice(at, 1);
    if (!turn || again === null) continue;
    turn.tries += 1;
    if (again === "now") line.unshift(turn);
    else line.push(turn);
  }
  return line;
}

export const countAmbiguous = (attempts: readonly Attempt[]): number =>
  attempts.filter(({ outcome }) => outcome === "ambiguous").length;
