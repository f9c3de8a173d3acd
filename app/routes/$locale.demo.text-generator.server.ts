import { randomUUID } from "node:crypto";
import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { invalid } from "~/i18n/validation-key";
import { formIdempotencyKey } from "~/models/metering/meter.server";
import { waitAtMost } from "~/models/metering/running.server";
import { deleteText, listTexts } from "~/models/text/texts.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { limitRuns } from "~/server/metering/limit-runs.server";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { beginText } from "~/server/text/text-run.server";
import { MAX_TEXT_PROMPT, textRequestSchema } from "~/services/text/text-request";
import { isUuid } from "~/utils/uuid";

const formSchema = textRequestSchema
  .pick({ prompt: true })
  .extend({ formKey: z.uuid(invalid("formStale")) });

/** The longest prompt, with each character percent-encoded. */
const MOST_BYTES = 256 * 1024;
const TEXTS_SHOWN = 10;
/** A quick text is on the page that the form leads to; for others that page waits. */
const WAIT_MS = 2_000;

/** The text that the address names, earlier ones, and an empty form. */
export async function loadTexts(request: Request, userId: string) {
  const named = new URL(request.url).searchParams.get("run") ?? "";
  const runId = isUuid(named) ? named : null;
  const texts = await listTexts({ userId, runId, limit: TEXTS_SHOWN + 1 });
  const shown = texts[0]?.id === runId ? (texts.shift() ?? null) : null;
  return {
    shown,
    texts: texts.slice(0, TEXTS_SHOWN),
    formKey: randomUUID(),
    constraint: { prompt: { required: true, maxLength: MAX_TEXT_PROMPT } },
  };
}

/** Begins a text from the page's form, or deletes one. The text goes on, whether or not its owner stays. */
export async function textFromForm(
  request: Request,
  { path, user }: { path: string; user: { id: string; sessionId: string } },
) {
  const form = await readForm(request, ["prompt", "formKey", "delete"], {
    mostBytes: MOST_BYTES,
  });
  const runId = String(form.get("delete") ?? "");
  if (isUuid(runId)) {
    await limitForms(user);
    await deleteText({ userId: user.id, runId });
    return redirect(`${path}?done=deleted`, 303);
  }
  const submission = parseWithZod(form, { schema: formSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { formKey, ...asked } = submission.value;
  try {
    await limitRuns("text", user.id);
    const begun = await beginText({
      userId: user.id,
      request: asked,
      idempotencyKey: formIdempotencyKey(formKey, [asked.prompt]),
      isAsynchronous: true,
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    await waitAtMost(WAIT_MS, begun.ended);
    return redirect(`${path}?run=${begun.runId}`, 303);
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
}
