import { listMixedModes, listRepeatedPrices, readActiveMode } from "~/env/payment-warnings";
import { offersTopUp, PAYMENT_PROVIDERS } from "~/env/payments";
import { isLocalHost } from "~/env.server";
import { type Check, conclude, fault, pass, skip, toFinding, warning } from "./check";
import { type Configuration, findingsOf, withoutMalformed } from "./configuration";

/** Checks payments: the provider, its keys, the prices and the mode. */
export function checkPayments(configuration: Configuration): Check[] {
  return [
    checkProvider(configuration),
    checkKeys(configuration),
    checkPrices(configuration),
    checkMode(configuration),
  ];
}

function checkProvider(configuration: Configuration): Check {
  const id = "payments.provider";
  const findings = findingsOf(configuration, id);
  const { enabled, provider } = configuration.env.payments;
  if (findings.length === 0 && enabled && !provider)
    findings.push(
      fault(
        "NEXT_PUBLIC_ENABLE_PAYMENTS is true and PAYMENTS_PROVIDER is not set: nothing can be bought",
        "set PAYMENTS_PROVIDER to A or stripe, or to B or creem",
      ),
    );
  const { payments } = configuration.env;
  if (enabled && payments.stripe.topUp && !offersTopUp(payments))
    findings.push(
      warning(
        "PROVIDER_A_TOP_UP is on and has no effect: automatic top-up needs Stripe, and PROVIDER_A_AUTOMATIC_TAX off",
        "turn it off",
      ),
    );
  return conclude(
    id,
    findings,
    enabled ? pass(id, `${provider} takes the payments`) : skip(id, "payments are off"),
  );
}

function checkKeys(configuration: Configuration): Check {
  const id = "payments.keys";
  const findings = findingsOf(configuration, id);
  const { payments, incomplete } = configuration.env;
  const missing = incomplete.payments.filter((name) => name !== "PAYMENTS_PROVIDER");
  for (const name of withoutMalformed(configuration, missing))
    findings.push(
      fault(
        `${name} is not set: ${CONSEQUENCES[name]}`,
        `copy it from ${payments.provider && PAYMENT_PROVIDERS[payments.provider].title}'s dashboard`,
      ),
    );
  return conclude(id, findings, offOr(configuration, pass(id, "the keys are set")));
}

const CONSEQUENCES: Record<string, string> = {
  PROVIDER_A_SECRET_KEY: "nothing can be bought, and webhooks get a 503",
  PROVIDER_A_WEBHOOK_SECRET: "webhooks get a 503, so paid orders are not delivered",
  PROVIDER_B_API_KEY: "nothing can be bought, and webhooks get a 503",
  PROVIDER_B_WEBHOOK_SECRET: "webhooks get a 503, so paid orders are not delivered",
};

function checkPrices(configuration: Configuration): Check {
  const id = "payments.prices";
  const findings = findingsOf(configuration, id);
  const { payments } = configuration.env;
  const missing = payments.enabled ? withoutMalformed(configuration, payments.missingPrices) : [];
  if (missing.length > 0)
    findings.push(
      fault(
        `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set: these items cannot be bought`,
        `set each to the id of its ${payments.provider && PAYMENT_PROVIDERS[payments.provider].priceKind}, or to none if you do not sell it`,
      ),
    );
  if (payments.enabled)
    for (const sentence of listRepeatedPrices(payments))
      findings.push({ ...toFinding("fail", sentence), action: "give each item its own" });
  const { notForSale } = payments;
  const otherwise = pass(
    id,
    notForSale.length > 0
      ? `every item has a price, but for those that are not for sale: ${notForSale.join(", ")}`
      : "every item of the catalog has a price",
  );
  return conclude(id, findings, offOr(configuration, otherwise));
}

function checkMode(configuration: Configuration): Check {
  const id = "payments.mode";
  const { payments, siteUrl } = configuration.env;
  const mode = readActiveMode(payments);
  if (!payments.enabled || !payments.provider)
    return offOr(configuration, pass(id, "the keys show no mode"));
  const findings = listMixedModes(payments).map((sentence) => toFinding("fail", sentence));
  if (findings.length === 0 && mode === "test" && siteUrl && !isLocalHost(siteUrl.hostname))
    findings.push(
      warning(
        "these are test keys: no real money is paid, and test cards buy real credits",
        "use the live keys, prices and webhook secret before selling",
      ),
    );
  const otherwise = mode ? `the keys are of ${mode} mode` : "no key shows its mode";
  return conclude(id, findings, pass(id, otherwise));
}

/** Returns a skipped check if nothing is for sale, otherwise `check`. */
function offOr({ env: { payments } }: Configuration, check: Check): Check {
  if (!payments.enabled) return skip(check.id, "payments are off");
  if (!payments.provider) return skip(check.id, "no provider is selected");
  return check;
}
