import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportAccount } from "~/models/accounts/export.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { requireLocale } from "~/server/locale-param.server";
import { limitRule } from "~/server/rate-limit-rules";
import { requirePageUser } from "~/server/session.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/** All that is kept about whoever is signed in, as a file. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  await limitExports(userId);
  const body = JSON.stringify(
    { exportedAt: new Date(), ...(await exportAccount(userId)) },
    null,
    2,
  );
  securityEvent("account_exported", { outcome: "success", userId });
  return new Response(body, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="account-data.json"',
      "Cache-Control": "no-store",
    },
  });
}

/** It reads all there is, so that it is not for every second. @throws Response 429 */
async function limitExports(userId: string): Promise<void> {
  try {
    await enforceRateLimit(limitRule("export-user", userId));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Response(error.publicMessage, { status: error.status, headers: error.headers });
  }
}
