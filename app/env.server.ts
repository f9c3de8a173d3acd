import { buildEnv, type Env } from "~/env/environment";
import { isLocalHost } from "~/env/formats";
import { readEnvironment } from "~/env/read-environment";
import { listVariables } from "~/env/variables";

export type { PriceSlot } from "~/catalog";
export type { ImageProviderName } from "~/env/images";
export type { PaymentProviderName } from "~/env/payments";
export type { Env };
export { isLocalHost, listVariables };

/** The server cannot run with this environment. `faults` names every faulty variable, and no value. */
export class ConfigurationError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(["The configuration has faults:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

/**
 * Parses the whole configuration. Throws a `ConfigurationError` listing every fault, one per line.
 * Settings that are only incomplete are listed in `incomplete` and `warnings` instead.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const { values, faults } = readEnvironment(source);
  if (!values || faults.length > 0) throw new ConfigurationError(faults.map(({ text }) => text));
  return buildEnv(values);
}

let memo: Env | undefined;

/** The process's own configuration, read on the first call. Throws like `parseEnv`. */
export function getEnv(): Env {
  memo ??= parseEnv(process.env);
  return memo;
}

/** Makes the next `getEnv` read the environment again. For tests: their files share a process. */
export function forgetEnv(): void {
  memo = undefined;
}
