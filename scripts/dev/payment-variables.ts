import { listVariables } from "~/env/variables";

/**
 * With any of these the environment has a payment provider of its own. The selector alone is none: it
 * says which of the two stand-ins is used.
 */
export const PAYMENT_VARIABLES = listVariables()
  .filter(({ name, group }) => group === "payments" && name !== "PAYMENTS_PROVIDER")
  .flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));

/** The line on the remote control of the stand-in in use; none where a real provider is. */
export function paymentControl(
  environment: Record<string, string | undefined> = process.env,
): string[] {
  const isCreem = /^(b|creem)$/i.test(environment.PAYMENTS_PROVIDER?.trim() ?? "");
  const [key, base] = isCreem
    ? [environment.PROVIDER_B_API_KEY, environment.PROVIDER_B_API_BASE]
    : [environment.PROVIDER_A_SECRET_KEY, environment.PROVIDER_A_API_BASE];
  if (!key?.includes("sandbox")) return [];
  return [`  Renewals, refunds and disputes:  ${base}/control  (docs/sandbox.md)`];
}
