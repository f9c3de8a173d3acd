import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Cycle, Disaster, Operation } from "./plan/operations";

const hasWord = (value: unknown) => z.looseObject({ do: z.string() }).safeParse(value).success;
const operation = z.custom<Operation>(hasWord, "a step names what it does");
const disaster = z.custom<Disaster>(hasWord, "a disaster names what it does");

const history = z.object({
  provider: z.enum(["stripe", "creem"]),
  /** Of the run: what is delivered last, and which numbers are made wrong, are drawn anew. */
  seed: z.int(),
  lives: z.array(z.object({ name: z.string(), parts: z.array(z.array(operation)) })),
  disasters: z.array(z.array(disaster)),
  hours: z.array(z.number()),
});

/** Reads a history that a run printed. */
export async function readHistory(
  file: string,
): Promise<{ provider: "stripe" | "creem"; seed: number; cycle: Cycle }> {
  const { provider, seed, ...cycle } = history.parse(JSON.parse(await readFile(file, "utf8")));
  return { provider, seed, cycle };
}
