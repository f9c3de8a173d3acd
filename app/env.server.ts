import { readTexts } from "~/env/aliases";
import { buildEnv, type Env } from "~/env/environment";
import { isLocalHost } from "~/env/formats";
import { findSandboxFaults } from "~/env/sandbox";
import { findStorageFaults } from "~/env/storage";
import { environmentSchema, extensionSchema, listVariables } from "~/env/variables";

export type { PriceSlot } from "~/env/catalog";
export type { ImageProviderName } from "~/env/images";
export type { PaymentProviderName } from "~/env/payments";
export type { Env };
export { isLocalHost, listVariables };

/** The environment cannot be served from. `faults` names every variable at fault, and no value. */
export class ConfigurationError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(["The configuration has faults:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

/**
 * Reads a whole configuration. Throws a `ConfigurationError` that lists every fault, one a line;
 * what is merely incomplete is in `incomplete` and `warnings` instead.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const names = Object.keys(environmentSchema.shape);
  const { texts, spelling, faults } = readTexts(source, names);
  const parsed = environmentSchema.safeParse(texts);
  const extensions = extensionSchema(Object.keys(texts)).safeParse(texts);
  const malformed = [...(parsed.error?.issues ?? []), ...(extensions.error?.issues ?? [])].map(
    ({ path: [name = ""], message }) => `${spelling[String(name)] ?? String(name)} ${message}`,
  );
  const siteUrl = environmentSchema.shape.NEXT_PUBLIC_SITE_URL.safeParse(
    texts.NEXT_PUBLIC_SITE_URL,
  ).data;
  const all = [
    ...malformed,
    ...faults,
    ...findStorageFaults(texts),
    ...findSandboxFaults(texts, spelling, siteUrl),
  ];
  if (!parsed.success || all.length > 0) throw new ConfigurationError(all);
  return buildEnv(parsed.data);
}

let memo: Env | undefined;

/** The process's own configuration, read on the first call. Throws as `parseEnv` does. */
export function getEnv(): Env {
  memo ??= parseEnv(process.env);
  return memo;
}
