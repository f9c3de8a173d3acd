import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTIONS } from "~/catalog";
import { DoneNotice } from "~/components/done-notice";
import { EstimateNote } from "~/components/metering/estimate-note";
import { PlainScript } from "~/components/plain-script";
import { TextResult } from "~/components/text/text-result";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextareaField } from "~/components/ui/field";
import { FormErrors } from "~/components/ui/form-errors";
import { PageHead } from "~/components/ui/page-head";
import { formAttributes, serverForm } from "~/components/ui/server-form";
import { translatorFor } from "~/i18n/messages.server";
import { estimateRequest } from "~/models/actions/estimate-request.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { requirePageTextGeneration } from "~/server/text/text-run.server";
import { pageHeaders } from "~/utils/page-headers";
import { loadTexts, textFromForm } from "./$locale.demo.text-generator.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  requirePageTextGeneration();
  const { id } = await requirePageUser(request, locale);
  const done = new URL(request.url).searchParams.get("done");
  const title = translatorFor(locale)("textGenerator.title");
  const texts = await loadTexts(request, id);
  const input = { prompt: texts.shown?.prompt || title };
  const estimate = await estimateRequest({ userId: id, apiKeyId: null, action: "text", input });
  return { title, done, estimate, ...texts };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  requirePageTextGeneration();
  const user = await requirePageUser(request, locale);
  return textFromForm(request, { path: `/${locale}/demo/text-generator`, user });
}

export default function TextGenerator() {
  const t = useTranslations();
  const { done, estimate, shown, texts, formKey, constraint } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const { form, field } = serverForm<"prompt">({
    id: "text",
    result,
    constraint,
    defaultValue: { prompt: shown?.prompt ?? "" },
  });
  const { credits, per } = ACTIONS.text.price;
  return (
    <main id="main">
      <div className="wrap page">
        <PageHead title={t("textGenerator.title")} lead={t("textGenerator.lead")} />
        <DoneNotice done={done} texts={{ deleted: t("textGenerator.deleted") }} />
        <div className="studio">
          <form method="post" {...formAttributes(form)} className="card controls" data-text-form="">
            <FormErrors form={form} />
            <TextareaField
              field={field("prompt")}
              label={t("textGenerator.prompt")}
              placeholder={t("textGenerator.promptExample")}
              rows={8}
            />
            <input type="hidden" name="formKey" value={formKey} />
            <Button size="large" wide>
              {t("textGenerator.submit")}
            </Button>
            {estimate.status === "estimated" ? (
              <p className="small muted center">
                <EstimateNote estimate={estimate} />
              </p>
            ) : null}
            <p className="small quiet center">{t("textGenerator.price", { credits, per })}</p>
          </form>
          <TextResult shown={shown} />
        </div>
        {texts.length > 0 ? (
          <Card id="earlier" title={t("textGenerator.earlier")}>
            <ul className="stack stack-2">
              {texts.map(({ id, prompt }) => (
                <li key={id}>
                  <a href={`?run=${id}`} className="link-24">
                    {prompt.slice(0, 100)}
                  </a>
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
        <PlainScript src="/text-generator.js" />
      </div>
    </main>
  );
}
