import {
  PAYMENT_PROVIDER_NAMES,
  PAYMENT_PROVIDERS,
  type PaymentProviderName,
  pricesOf,
} from "~/env/payments";
import { type Env, getEnv } from "~/env.server";
import { reconcileAs } from "~/models/admin/billing-actions.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import type {
  Outcome,
  RunOptions,
} from "~/models/billing/reconciliation/run-reconciliation.server";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";
import { refusalOf } from "~/services/payments/payment-faults";
import { AppError } from "~/utils/app-error";
import { logToStandardError } from "~/utils/logger.server";
import { requireUserId } from "../ledger/require-user-id";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import { PROVIDER_VALUES, readProvider } from "../lib/provider-option";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";
import { withBackOff } from "./back-off";

const DEFAULT_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

export const reconcile: Subcommand = {
  summary: "compare orders and subscriptions with the provider's records, and repair them",
  run: (args) =>
    runCommand(
      {
        name: "billing reconcile",
        usage: `Compares this database with the payment providers' records: orders, refunds and disputes since a date,
and every subscription. Prints a line for each difference with what --apply would do, and changes nothing
without it. --apply does what the lost webhooks would have done, only once even if they arrive later. It
never deletes. It takes credits for refunds and disputes, and gives back those of won and failed ones. Needs
the server's whole environment. Exit code 0: nothing differs, or everything was repaired. 1: differences
remain.`,
        options: {
          user: { type: "string", value: "email", help: "only this user's records" },
          since: {
            type: "string",
            value: "date",
            help: `orders, refunds and disputes since 2026-05-01 or 2026-05-01T12:00:00Z (default ${DEFAULT_DAYS} days ago)`,
          },
          provider: {
            type: "string",
            value: PROVIDER_VALUES,
            help: "only this (default: each with a key)",
          },
          checkout: {
            type: "string",
            multiple: true,
            value: "id",
            help: "also compare this checkout, whatever its age; with --provider",
          },
          apply: { type: "boolean", help: "repair what differs" },
          json: { type: "boolean", help: "print one JSON object" },
        },
        async run({ values, print, warn }) {
          const since = parseSince(values.since);
          const checkouts = values.checkout ?? [];
          if (checkouts.length > 0 && !values.provider)
            throw new UsageError("--checkout needs --provider");
          const env = getEnv();
          const providers = chooseProviders(values.provider, env);
          logToStandardError(env.logLevel);
          const outcomes: Outcome[] = [];
          const compared: Record<string, number> = {};
          await withDatabase(async (db) => {
            const userId = values.user ? await requireUserId(values.user, db) : null;
            for (const name of providers) {
              const records = openBillingRecords(name, env.payments, (call) =>
                withBackOff(call, { warn: (line) => warn(`${name}: ${line}`) }),
              );
              if (!records) continue;
              const prices = pricesOf(name, env.payments);
              const comparison: Comparison = {
                ...{ db, records, prices, userId, since },
                site: env.siteUrl.host,
                startedAt: new Date(),
              };
              compared[name] = await runOrExplain(comparison, {
                apply: values.apply === true,
                checkouts,
                onOutcome(outcome) {
                  outcomes.push(outcome);
                  if (!values.json) print(formatOutcome(outcome));
                },
                onProgress: (count) => warn(`${name}: ${count} compared`),
              });
            }
          }).finally(() => {
            const applied = outcomes.filter((outcome) => outcome.applied).length;
            if (applied > 0) operatorEvent("billing reconcile", { applied });
          });
          const remaining = outcomes.filter(({ applied }) => !applied).length;
          const counts = {
            differences: outcomes.length,
            applied: outcomes.length - remaining,
            remaining,
          };
          if (values.json) print(JSON.stringify(report({ since, compared, counts, outcomes })));
          else print(summary(compared, counts));
          return remaining === 0 ? 0 : 1;
        },
      },
      args,
    ),
};

/** Shows the provider's own error. The messages that buyers see don't help an operator. */
async function runOrExplain(comparison: Comparison, options: RunOptions): Promise<number> {
  try {
    return await reconcileAs(operatorActor(), comparison, options);
  } catch (error) {
    if (error instanceof AppError) throw new Error(refusalOf(error).reason);
    throw error;
  }
}

function parseSince(text: string | undefined): Date {
  if (text === undefined) return new Date(Date.now() - DEFAULT_DAYS * DAY);
  const date = new Date(text);
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (!isIso || Number.isNaN(date.getTime()))
    throw new UsageError(`--since takes 2026-05-01 or 2026-05-01T12:00:00Z, not '${text}'`);
  if (date.getTime() > Date.now()) throw new UsageError(`--since ${text} is in the future`);
  return date;
}

function chooseProviders(text: string | undefined, { payments }: Env): PaymentProviderName[] {
  const hasKey = (name: PaymentProviderName) => PAYMENT_PROVIDERS[name].keyOf(payments) !== null;
  const keyOf = (name: PaymentProviderName) => PAYMENT_PROVIDERS[name].keyVariable;
  const asked = readProvider(text);
  if (asked && !hasKey(asked)) throw new Error(`${keyOf(asked)} is not set`);
  if (asked) return [asked];
  const chosen = PAYMENT_PROVIDER_NAMES.filter(hasKey);
  if (chosen.length === 0)
    throw new Error(
      `neither ${PAYMENT_PROVIDER_NAMES.map(keyOf).join(" nor ")} is set: there is no provider to compare with`,
    );
  return chosen;
}

function formatOutcome(outcome: Outcome): string {
  const { provider, object, userId, says, repair, advice, applied, failure } = outcome;
  const end = applied
    ? `done: ${repair?.does}`
    : failure
      ? `NOT done: ${failure}`
      : repair
        ? `--apply would ${repair.does}`
        : `yours: ${advice}`;
  return [provider, object, `user ${userId ?? "unknown"}`, says, end].join("  ");
}

interface Counts {
  differences: number;
  applied: number;
  remaining: number;
}

function summary(compared: Record<string, number>, counts: Counts): string {
  const asked = Object.entries(compared).map(([name, count]) => `${count} of ${name}'s records`);
  const what =
    counts.differences === 0
      ? "nothing differs"
      : `differences: ${counts.differences}, repaired ${counts.applied}, remaining ${counts.remaining}`;
  return `${asked.join(" and ")} compared: ${what}`;
}

function report(run: {
  since: Date;
  compared: Record<string, number>;
  counts: Counts;
  outcomes: Outcome[];
}) {
  const differences = run.outcomes.map(({ repair, ...outcome }) => ({
    ...outcome,
    repair: repair?.does ?? null,
  }));
  const { since, compared, counts } = run;
  return { ok: counts.remaining === 0, since, compared, counts, differences };
}
