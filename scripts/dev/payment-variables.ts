import { listVariables } from "~/env/variables";

/**
 * If any of these is set, the environment brings its own payment provider. The selector
 * PAYMENTS_PROVIDER isn't one of them: it chooses between the two sandboxes.
 */
export const PAYMENT_VARIABLES = listVariables()
  .filter(({ name, group }) => group === "payments" && name !== "PAYMENTS_PROVIDER")
  .flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));

/** Returns the line about the active sandbox's remote control; none with a real provider. */
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
