import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Cycle, Disaster, Operation } from "./plan/operations";

const hasWord = (value: unknown) => z.looseObject({ do: z.string() }).safeParse(value).success;
const operation = z.custom<Operation>(hasWord, "a step names what it does");
const disaster = z.custom<Disaster>(hasWord, "a disaster names what it does");

const history = z.object({
  provider: z.enum(["stripe", "creem"]),
  lives: z.array(z.object({ name: z.string(), parts: z.array(z.array(operation)) })),
  disasters: z.array(z.array(disaster)),
  hours: z.array(z.number()),
});

/** Reads a history that a run printed. */
export async function readHistory(
  file: string,
): Promise<{ provider: "stripe" | "creem"; cycle: Cycle }> {
  const { provider, ...cycle } = history.parse(JSON.parse(await readFile(file, "utf8")));
  return { provider, cycle };
}
