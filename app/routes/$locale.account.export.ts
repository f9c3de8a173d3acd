import type { LoaderFunctionArgs } from "@remix-run/node";
import { getEnv } from "~/env.server";
import { exportAccount } from "~/models/accounts/export.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { requireLocale } from "~/server/request/locale-param.server";
import { pacedBody } from "~/server/request/paced-body.server";
import { jsonPieces } from "~/utils/json-stream.server";
import { securityEvent } from "~/utils/security-event.server";

/** Sends all data about the signed-in user as a file, read from the database while it is sent. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await requireFreshPage(user, { locale, path: `/${locale}/account/data?done=confirmed` });
  const { id: userId } = user;
  await enforceRateLimit(limitRule("export-user", userId));
  const account = await exportAccount({ userId, siteUrl: getEnv().siteUrl });
  securityEvent("account_exported", { outcome: "success", userId });
  return new Response(pacedBody(jsonPieces(account), context), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="account-data.json"',
      // Not compressed either: see pacedBody.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
