import { randomUUID } from "node:crypto";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import type { ActionKey } from "~/catalog";
import type { FieldConstraints } from "~/components/ui/server-form";
import { translatorFor } from "~/i18n/messages.server";
import { invalid } from "~/i18n/validation-key";
import { estimateRequest } from "~/models/actions/estimate-request.server";
import type { GrowingAction } from "~/models/metering/growing/growing-action";
import { deleteResult, fieldsOf, listShown } from "~/models/metering/growing/growing-rows.server";
import { formIdempotencyKey } from "~/models/metering/meter.server";
import { waitAtMost } from "~/models/metering/running.server";
import { entryPath } from "~/server/accounts/entry-page.server";
import { getUser } from "~/server/accounts/session.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { findDraft, forgetDraft, keepDraft } from "~/server/metering/draft.server";
import { beginGrowing, MOST_BYTES } from "~/server/metering/growing-run.server";
import { limitRuns } from "~/server/metering/limit-runs.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { offeredCredits } from "~/server/site/free-credits.server";
import { AppError } from "~/utils/app-error";
import { draftPath } from "~/utils/draft-path";
import { isUuid } from "~/utils/uuid";

const SHOWN = 10;
/** A quick result is on the page that the form leads to; for others that page waits. */
const WAIT_MS = 2_000;

/**
 * Loads the page of an action whose result grows: the run that the address names, earlier ones, and an empty form, or
 * the one that this browser sent before its person signed in or paid.
 * @throws Response 404 while the action is off
 */
export async function loadGrowingPage(
  { request, params }: LoaderFunctionArgs,
  action: GrowingAction,
  titleOf: (t: ReturnType<typeof translatorFor>) => string,
) {
  const locale = requireLocale(params);
  requireOn(action);
  const user = await getUser(request);
  const search = new URL(request.url).searchParams;
  const named = search.get("run") ?? "";
  const runId = isUuid(named) ? named : null;
  const { key, schema, table } = action;
  const userId = user?.id;
  const [runs, draft] = await Promise.all([
    userId ? listShown(table, { userId, runId, limit: SHOWN + 1 }) : [],
    findDraft(request, key, { schema, userId }),
  ]);
  const shown = runs[0]?.id === runId ? (runs.shift() ?? null) : null;
  const title = titleOf(translatorFor(locale));
  const constraint = constraintsOf(schema);
  const start = { ...(shown?.request ?? draft) } as Record<string, string>;
  return {
    title,
    estimate: userId
      ? await estimateStart({ userId, action: key, title, start, constraint })
      : null,
    action: key,
    done: search.get("done"),
    freeCredits: user ? null : offeredCredits(),
    shown,
    earlier: runs
      .slice(0, SHOWN)
      .map(({ id, subject }) => ({ id, subject: subject.slice(0, 100) })),
    start,
    formKey: randomUUID(),
    constraint,
  };
}

/** Estimates what the form would send now; an empty field counts as one that holds the page's title. */
async function estimateStart({
  userId,
  action,
  title,
  start,
  constraint,
}: {
  userId: string;
  action: ActionKey;
  title: string;
  start: Record<string, string>;
  constraint: FieldConstraints;
}) {
  const required = Object.keys(constraint).filter((name) => constraint[name]?.required);
  const input = { ...Object.fromEntries(required.map((name) => [name, title])), ...start };
  const estimate = await estimateRequest({ userId, apiKeyId: null, action, input });
  return estimate.status === "estimated" ? estimate : null;
}

/** The HTML attributes of a form's fields. */
function constraintsOf(schema: z.ZodObject): FieldConstraints {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const { maxLength } = typeof field === "object" ? field : {};
      return [name, { required: required.includes(name), ...(maxLength ? { maxLength } : {}) }];
    }),
  );
}

/**
 * Begins a run from the page's form, or deletes one. It goes on, whether or not its owner stays. A visitor gets to the
 * entry page and back to the filled form.
 */
export async function actOnGrowingPage(
  { request, params, context }: ActionFunctionArgs,
  action: GrowingAction,
) {
  const locale = requireLocale(params);
  requireOn(action);
  const { key, schema, table } = action;
  const path = new URL(request.url).pathname;
  const user = await getUser(request);
  const fields = ["formKey", "delete", ...Object.keys(schema.shape)];
  const form = await readForm(request, fields, { mostBytes: MOST_BYTES });
  const runId = String(form.get("delete") ?? "");
  if (user && isUuid(runId)) {
    await limitForms(user);
    const isDeleted = await deleteResult(table, { userId: user.id, runId });
    return redirect(isDeleted ? `${path}?done=deleted` : `${path}?run=${runId}&done=running`, 303);
  }
  const withKey = schema.extend({ formKey: z.uuid(invalid("formStale")) });
  const submission = parseWithZod(form, { schema: withKey });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { formKey, ...asked } = submission.value;
  try {
    if (!user) {
      await enforceAddressLimit("draft-address", context.clientAddress);
      return redirect(await entryPath(request, { locale, redirectTo: draftPath(path) }), {
        status: 303,
        headers: { "Set-Cookie": await keepDraft(request, key, { data: asked }) },
      });
    }
    await limitRuns(key, user.id);
    const begun = await beginGrowing(action, {
      userId: user.id,
      request: asked,
      idempotencyKey: formIdempotencyKey(String(formKey), fieldsOf(table, asked)),
      isAsynchronous: true,
    });
    await waitAtMost(WAIT_MS, begun.ended);
    const forgotten = await forgetDraft(request, key);
    return redirect(`${path}?run=${begun.runId}`, {
      status: 303,
      ...(forgotten ? { headers: { "Set-Cookie": forgotten } } : {}),
    });
  } catch (error) {
    const isShort = error instanceof AppError && error.code === "insufficient_credits";
    const kept = isShort ? await keepDraft(request, key, { data: asked, userId: user?.id }) : null;
    const headers = kept ? { headers: { "Set-Cookie": kept } } : {};
    return formRefused({ submission, hide: [], error, ...headers });
  }
}

function requireOn(action: GrowingAction): void {
  if (!action.isOn()) throw new Response(null, { status: 404 });
}
