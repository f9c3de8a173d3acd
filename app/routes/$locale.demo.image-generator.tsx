import { randomUUID } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { GenerationHistory } from "~/components/generator/generation-history";
import { GenerationOutcome } from "~/components/generator/generation-outcome";
import { GeneratorForm } from "~/components/generator/generator-form";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { getBalance } from "~/models/credit-balance.server";
import { getGeneration, listGenerations } from "~/models/image-generations.server";
import type { PageHandle } from "~/root";
import { requirePageImageGeneration } from "~/server/generation.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { requirePageUser } from "~/server/session.server";
import { pageHeaders } from "~/utils/page-headers";
import { pageMeta } from "~/utils/page-meta";
import { generateFromForm } from "./$locale.demo.image-generator.server";

export const meta = pageMeta;
export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

const HISTORY_LENGTH = 12;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const { id: userId } = await requirePageUser(request, locale);
  const generationId = new URL(request.url).searchParams.get("generation") ?? "";
  const [balance, shown, history] = await Promise.all([
    getBalance(userId),
    getGeneration({ generationId, userId }),
    listGenerations({ userId, limit: HISTORY_LENGTH }),
  ]);
  return {
    title: translatorFor(locale)("generator.title"),
    formKey: randomUUID(),
    locale,
    balance,
    shown,
    history: history.filter(({ id }) => id !== shown?.id),
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const { id: userId } = await requirePageUser(request, locale);
  return generateFromForm(request, { userId, locale });
});

export default function ImageGenerator() {
  const t = useTranslations();
  const { formKey, locale, balance, shown, history } = useLoaderData<typeof loader>();
  return (
    <Page title={t("generator.title")} lead={t("generator.lead")}>
      <GeneratorForm
        formKey={formKey}
        balance={balance}
        result={useActionData<typeof action>()?.result}
        defaultPrompt={shown?.prompt}
      />
      {shown ? <GenerationOutcome generation={shown} /> : null}
      <GenerationHistory generations={history} locale={locale} />
    </Page>
  );
}
