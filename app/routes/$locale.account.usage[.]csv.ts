import type { LoaderFunctionArgs } from "@remix-run/node";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { FAULT_TEXTS } from "~/components/usage/use-run-words";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { pageUsage } from "~/models/accounts/usage.server";
import { accountOf } from "~/models/metering/runs.server";
import { readPlaced } from "~/models/row-pages.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { csvResponse } from "~/server/request/csv-response.server";
import { requireLocale } from "~/server/request/locale-param.server";
import type { CsvCell } from "~/utils/csv.server";
import { securityEvent } from "~/utils/security-event.server";

/** Sends the runs of the signed-in user's account as a table, oldest first, read from the database while it is sent. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  await enforceRateLimit(limitRule("usage-csv-user", userId));
  securityEvent("account_exported", { outcome: "success", userId, details: { part: "usage" } });
  const t = translatorFor(locale);
  const head = [
    t("credits.csvTime"),
    t("usage.action"),
    t("usage.what"),
    t("usage.result"),
    t("usage.units"),
    t("credits.amount"),
    t("usage.apiKey"),
  ];
  const rows = rowsOf(accountOf({ id: userId }), locale);
  return csvResponse({ filename: "usage.csv", head, rows }, context);
}

async function* rowsOf(accountId: string, locale: Locale): AsyncGenerator<CsvCell[]> {
  const t = translatorFor(locale);
  const until = new Date().toISOString();
  const runs = readPlaced((position) => pageUsage({ userId: accountId, until, ...position }));
  for await (const run of runs) {
    const { createdAt, action, subject, status, error, units, credits, apiKeyName } = run;
    const results = {
      reserved: t("usage.running"),
      settled: t("usage.done"),
      refunded: t(FAULT_TEXTS[error ?? "generation_failed"]),
    };
    const view = action in ACTION_VIEWS ? t(ACTION_VIEWS[action].words.name) : action;
    yield [createdAt.toISOString(), view, subject, results[status], units, credits, apiKeyName];
  }
}
