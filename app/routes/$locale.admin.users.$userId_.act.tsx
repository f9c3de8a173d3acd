import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ActionForm } from "~/components/admin/action-form";
import { AdminPage } from "~/components/admin/admin-page";
import { ACTION_WORDS } from "~/components/admin/admin-words";
import type { PageHandle } from "~/components/page-handle";
import { translatorFor } from "~/i18n/messages.server";
import { reconcileUser } from "~/models/admin/reconcile-user.server";
import { noteLook } from "~/models/admin/user-page.server";
import { getBalance } from "~/models/credits/balance.server";
import { actionSchema, performAction } from "~/server/admin/perform-action.server";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { USER_ACTION_NAMES } from "~/server/admin/user-actions";
import { requireUserParam } from "~/server/admin/user-param.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { AppError } from "~/utils/app-error";
import { pageHeaders } from "~/utils/page-headers";
import { securityEvent } from "~/utils/security-event.server";
import { isUuid } from "~/utils/uuid";

// An action's effect stands on its person's page, in the audit log.
export const handle: PageHandle = { outcomeAt: ".." };
export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const userId = requireUserParam(params);
  const { searchParams } = new URL(request.url);
  const name = USER_ACTION_NAMES.find((known) => known === searchParams.get("do"));
  if (!name) throw new Response(null, { status: 404 });
  const user = await noteLook({ actor, userId });
  if (!user) throw new Response(null, { status: 404 });
  const target = searchParams.get("target");
  return {
    title: translatorFor(locale)(ACTION_WORDS[name].name),
    locale,
    name,
    user: { id: user.id, email: user.email },
    balance: name === "adjust" ? await getBalance(userId) : null,
    target: target !== null && isUuid(target) ? target : null,
    formKey: crypto.randomUUID(),
    differences: name === "reconcile" ? await compare({ actor, userId }) : null,
  };
}

/** Returns the differences from the provider's records, as the command's dry run says them; null if the provider can't be asked. */
async function compare(asked: { actor: string; userId: string }) {
  try {
    const outcomes = await reconcileUser({ ...asked, apply: false });
    return outcomes.map(({ provider, object, says, repair, advice }) => ({
      ...{ provider, object, says, advice },
      does: repair?.does ?? null,
    }));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const FIELDS = Object.keys(actionSchema.shape);

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const userId = requireUserParam(params);
  const form = await readForm(request, FIELDS);
  const submission = parseWithZod(form, { schema: actionSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const asked = submission.value;
  const outcome = await performAction({ ...asked, actor, userId });
  securityEvent("admin_action", {
    outcome: outcome === "done" ? "success" : "failure",
    userId,
    reason: outcome,
    details: { action: asked.do, admin: actor },
  });
  if (outcome !== "done") return data({ result: undefined, outcome }, { status: 409 });
  return redirect(`/${locale}/admin/users/${userId}?done=${asked.do}`, 303);
}

/** The page of one action: its effect, and its form. */
export default function Act() {
  const t = useTranslations();
  const loaded = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  return (
    <AdminPage title={loaded.title} lead={t(ACTION_WORDS[loaded.name].consequence)}>
      <ActionForm
        {...loaded}
        result={response?.result}
        outcome={response && "outcome" in response ? response.outcome : null}
      />
    </AdminPage>
  );
}
