import type { LoaderFunctionArgs } from "@remix-run/node";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import type { Movement } from "~/models/accounts/movement";
import { readMovements } from "~/models/accounts/movements.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { csvResponse } from "~/server/request/csv-response.server";
import { requireLocale } from "~/server/request/locale-param.server";
import type { CsvCell } from "~/utils/csv.server";
import { securityEvent } from "~/utils/security-event.server";

/** Sends the signed-in user's movements of credits as a table, read from the database while it is sent. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  await enforceRateLimit(limitRule("credits-csv-user", userId));
  securityEvent("account_exported", { outcome: "success", userId, details: { part: "credits" } });
  const t = translatorFor(locale);
  const head = [
    t("credits.csvTime"),
    t("credits.csvKind"),
    t("credits.what"),
    t("credits.amount"),
    t("credits.balanceAfter"),
    t("credits.csvExpires"),
    t("usage.apiKey"),
  ];
  const rows = rowsOf(userId, locale);
  return csvResponse({ filename: "credits.csv", head, rows }, context);
}

async function* rowsOf(userId: string, locale: Locale): AsyncGenerator<CsvCell[]> {
  const t = translatorFor(locale);
  for await (const movement of readMovements(userId)) {
    const { createdAt, type, amount, balanceAfter, expiresAt, apiKeyName } = movement;
    yield [
      createdAt.toISOString(),
      type,
      subjectOf(movement, t),
      amount,
      balanceAfter,
      expiresAt?.toISOString() ?? null,
      apiKeyName,
    ];
  }
}

/** The purpose of a row: the subject or the action of a run, a plan, a reason; otherwise its source. */
function subjectOf(
  { run, plan, description, source }: Movement,
  t: ReturnType<typeof translatorFor>,
): string {
  if (run) return run.subject || t(ACTION_VIEWS[run.action].words.name);
  return plan?.planKey ?? description ?? source;
}
