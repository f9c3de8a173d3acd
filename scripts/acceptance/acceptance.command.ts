import { PAYMENT_PROVIDERS, type PaymentProviderName } from "~/env/payments";
import { type Env, getEnv } from "~/env.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";
import { logToStandardError } from "~/utils/logger.server";
import { runCommand, secondsOption, UsageError } from "../lib/command";
import { withDatabase } from "../lib/with-database";
import { runAcceptance } from "./run-acceptance";
import { createSiteClient } from "./site-client";

await runCommand({
  name: "acceptance",
  usage: `Tests the payments of a deployment in test mode: signs up a new account, has you pay for a pack and a
plan in a browser, and checks every step on the site and in its database. Needs the deployment's own
environment (DATABASE_URL, the provider's keys and webhook secret). Refuses live keys. Leaves an account with a pack
and a plan that is cancelled at the end of its period. Exit code 0: every step passed.
docs/payments-acceptance.md has a run.`,
  options: {
    site: {
      type: "string",
      value: "address",
      help: "the deployment (default NEXT_PUBLIC_SITE_URL)",
    },
    email: {
      type: "string",
      value: "address",
      help: "the new account's address (default one at example.com)",
    },
    wait: {
      type: "string",
      value: "seconds",
      default: "600",
      help: "for each payment in the browser",
    },
    "allow-http": {
      type: "boolean",
      help: "accept a site without TLS, for a trial on this machine",
    },
    json: {
      type: "boolean",
      help: "print the evidence as one JSON object; links go to standard error",
    },
  },
  async run({ values, print, warn }) {
    const waitMs = secondsOption("wait", values.wait);
    const env = getEnv();
    const site = parseSite(values.site ?? env.siteUrl.href, values["allow-http"] === true);
    allowAddresses({ site: [site.origin] });
    const provider = requireTestMode(env);
    const records = openBillingRecords(provider, env.payments);
    if (!records) throw new Error(`${provider} has no key`);
    logToStandardError(env.logLevel);
    const startedAt = new Date();
    const steps = await withDatabase((db) =>
      runAcceptance(
        {
          ...{ site, client: createSiteClient(site), db, payments: env.payments, records, waitMs },
          // The database's clock may be a little behind.
          startedAt: new Date(startedAt.getTime() - 60_000),
          tell: (line) => (values.json ? warn(line) : print(line)),
        },
        {
          email: values.email ?? null,
          onStep: ({ id, status, message }) =>
            (values.json ? warn : print)(`${status}  ${id.padEnd(12)}  ${message}`),
        },
      ),
    );
    const ok = steps.every(({ status }) => status === "pass");
    if (values.json) {
      const run = {
        ok,
        site: site.origin,
        provider,
        mode: "test",
        startedAt,
        finishedAt: new Date(),
      };
      print(JSON.stringify({ ...run, steps }, null, 2));
    } else
      print(`${steps.filter(({ status }) => status === "pass").length} of ${steps.length} passed`);
    return ok ? 0 : 1;
  },
});

function parseSite(text: string, allowHttp: boolean): URL {
  const site = URL.canParse(text) ? new URL(text) : null;
  if (site?.protocol !== "https:" && site?.protocol !== "http:")
    throw new UsageError(`--site takes an address like https://example.com, not '${text}'`);
  if (site.protocol === "http:" && !allowHttp)
    throw new UsageError("--site must be https: providers deliver to nothing else");
  return site;
}

/** Requires a complete configuration of the active provider in test mode: this run buys things. */
function requireTestMode({ payments }: Env): PaymentProviderName {
  const { enabled, provider } = payments;
  if (!enabled || !provider)
    throw new Error("payments are off here: set NEXT_PUBLIC_ENABLE_PAYMENTS");
  const { keyOf, webhookSecretOf, testKey } = PAYMENT_PROVIDERS[provider];
  const [key, secret] = [keyOf(payments), webhookSecretOf(payments)];
  if (!key || !secret) throw new Error(`the key or the webhook secret of ${provider} is not set`);
  if (!testKey.test(key))
    throw new Error(`the key of ${provider} is a live one: acceptance pays with test cards only`);
  return provider;
}
