import type { LoaderFunctionArgs } from "@remix-run/node";
import { translatorFor } from "~/i18n/messages.server";
import type { Movement } from "~/models/accounts/movement";
import { readMovements } from "~/models/accounts/movements.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { requireLocale } from "~/server/locale-param.server";
import { pacedBody } from "~/server/paced-body.server";
import { limitRule } from "~/server/rate-limit-rules";
import { requirePageUser } from "~/server/session.server";
import { type CsvCell, csvPieces } from "~/utils/csv.server";
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
  ];
  const { signal } = request;
  const { whenWritable } = context;
  const pieces = csvPieces(head, rowsOf(userId));
  return new Response(pacedBody(pieces, { signal, whenWritable }), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="credits.csv"',
      // Not compressed either: see pacedBody.
      "Cache-Control": "no-store, no-transform",
    },
  });
}

async function* rowsOf(userId: string): AsyncGenerator<CsvCell[]> {
  for await (const movement of readMovements(userId)) {
    const { createdAt, type, amount, balanceAfter, expiresAt } = movement;
    yield [
      createdAt.toISOString(),
      type,
      subjectOf(movement),
      amount,
      balanceAfter,
      expiresAt?.toISOString() ?? null,
    ];
  }
}

/** The prompt, plan or reason that a row belongs to; otherwise its source. */
function subjectOf({ generation, plan, description, source }: Movement): string {
  return generation?.prompt ?? plan?.planKey ?? description ?? source;
}
