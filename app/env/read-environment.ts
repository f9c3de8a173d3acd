import type { z } from "zod";
import { readTexts } from "~/env/aliases";
import { findSandboxFaults } from "~/env/sandbox";
import { findStorageFaults } from "~/env/storage";
import { environmentSchema, extensionSchema } from "~/env/variables";

/** A fault that stops the start. `text` names variables and contains no value. */
export interface EnvironmentFault {
  rule: "format" | "aliases" | "storage" | "sandbox";
  /** The variable's own name, if a single variable is at fault. */
  variable: string | null;
  text: string;
}

interface EnvironmentReading {
  /** The set variables by their own names, well-formed or not. */
  texts: Record<string, string>;
  faults: EnvironmentFault[];
  /** Null if a variable is malformed or a required one is unset. */
  values: z.output<typeof environmentSchema> | null;
}

/** Reads every variable and finds every fault. Never throws. */
export function readEnvironment(source: Record<string, string | undefined>): EnvironmentReading {
  const names = Object.keys(environmentSchema.shape);
  const { texts, spelling, faults } = readTexts(source, names);
  const parsed = environmentSchema.safeParse(texts);
  const extensions = extensionSchema(Object.keys(texts)).safeParse(texts);
  const malformed = [...(parsed.error?.issues ?? []), ...(extensions.error?.issues ?? [])].map(
    ({ path, message }): EnvironmentFault => {
      const variable = String(path[0] ?? "");
      return { rule: "format", variable, text: `${spelling[variable] ?? variable} ${message}` };
    },
  );
  const siteUrl = environmentSchema.shape.NEXT_PUBLIC_SITE_URL.safeParse(
    texts.NEXT_PUBLIC_SITE_URL,
  ).data;
  const ofRule = (rule: EnvironmentFault["rule"]) => (text: string) => ({
    rule,
    variable: null,
    text,
  });
  return {
    texts,
    values: parsed.data ?? null,
    faults: [
      ...malformed,
      ...faults.map(ofRule("aliases")),
      ...findStorageFaults(texts).map(ofRule("storage")),
      ...findSandboxFaults(texts, spelling, siteUrl).map(ofRule("sandbox")),
    ],
  };
}
