import type { Env } from "~/env.server";
import type { ProviderInspection } from "~/services/payments/provider-inspection.server";
import { type Check, conclude, fault, found, pass, skip } from "../check";

const PORTAL = "online.payments-portal";

const OWN_PORTAL =
  "or run `npm run billing -- portal`, which makes a safe configuration, and set PROVIDER_A_PORTAL_CONFIGURATION";

/** Checks the customer portal that the portal route opens: some settings give credits away. */
export async function askPortal(
  provider: ProviderInspection,
  payments: Env["payments"],
): Promise<{ check: Check; errors: unknown[] }> {
  const of = (check: Check) => ({ check, errors: [] });
  if (!provider.findPortal)
    return of(
      skip(
        PORTAL,
        "Creem's API does not show its portal's settings: check that its dashboard lets customers cancel at the period's end only, and offers no change of plan and no pause",
      ),
    );
  const id = payments.stripe.portalConfiguration;
  try {
    const portal = await provider.findPortal();
    const name = id ? `the portal configuration ${id}` : "the default portal configuration";
    if (!portal)
      return of(
        found(PORTAL, [
          fault(
            `${name} does not exist there, or is in the other mode: the portal cannot be opened`,
            "run `npm run billing -- portal`, and set PROVIDER_A_PORTAL_CONFIGURATION",
          ),
        ]),
      );
    const findings = portal.faults.map(({ setting, remedy }, at) =>
      fault(
        at === 0 ? `${name}: ${setting}` : setting,
        at === portal.faults.length - 1 ? `${remedy}, ${OWN_PORTAL}` : remedy,
      ),
    );
    return of(conclude(PORTAL, findings, pass(PORTAL, `${name} gives no credits away`)));
  } catch (error) {
    return {
      check: skip(PORTAL, "the portal could not be read: see online.payments-key"),
      errors: [error],
    };
  }
}
