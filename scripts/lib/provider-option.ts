import { PAYMENT_PROVIDER_NAMES, type PaymentProviderName } from "~/env/payments";
import { UsageError } from "./command";

/** The values of `--provider`, for the help. */
export const PROVIDER_VALUES = PAYMENT_PROVIDER_NAMES.join("|");

/** Reads `--provider`; undefined if it wasn't given. */
export function readProvider(text: string | undefined): PaymentProviderName | undefined {
  if (text === undefined) return undefined;
  const name = PAYMENT_PROVIDER_NAMES.find((candidate) => candidate === text);
  if (!name)
    throw new UsageError(`--provider takes ${PAYMENT_PROVIDER_NAMES.join(" or ")}, not '${text}'`);
  return name;
}

/** Reads a `--provider` that must be given. */
export function requireProvider(text: string | undefined): PaymentProviderName {
  const name = readProvider(text);
  if (!name) throw new UsageError(`--provider takes ${PAYMENT_PROVIDER_NAMES.join(" or ")}`);
  return name;
}
