import { randomUUID } from "node:crypto";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/button";
import { GenerationHistory } from "~/components/generator/generation-history";
import { GenerationOutcome } from "~/components/generator/generation-outcome";
import { GeneratorForm } from "~/components/generator/generator-form";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { getBalance } from "~/models/credits/balance.server";
import {
  getListedGeneration,
  listGenerations,
  withImageUrls,
} from "~/models/images/listed-generations.server";
import type { PageHandle } from "~/root";
import { requirePageImageGeneration } from "~/server/generation.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { getUser, requirePageUser } from "~/server/session.server";
import { generatorFormSchema } from "~/services/images/generator-form";
import { pageHeaders } from "~/utils/page-headers";
import { generateFromForm } from "./$locale.demo.image-generator.server";

/**
 * Unlike other pages, the browser may cache this one for the Back button: the form that comes back
 * still has the key it was sent with, so sending it again is charged once.
 */
export const headers: HeadersFunction = (args) => {
  const headers = new Headers(pageHeaders(args));
  headers.set("Cache-Control", "private, no-cache");
  return headers;
};
export const handle: PageHandle = { interactive: ["generator", "validation"] };

const HISTORY_LENGTH = 12;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const title = translatorFor(locale)("generator.title");
  const user = await getUser(request);
  if (!user) return { title, locale, visitor: null };
  const userId = user.id;
  const generationId = new URL(request.url).searchParams.get("generation") ?? "";
  const [balance, shown, history] = await Promise.all([
    getBalance(userId),
    getListedGeneration({ generationId, userId }),
    listGenerations({ userId, limit: HISTORY_LENGTH }),
  ]);
  return {
    title,
    locale,
    visitor: {
      // A result's page has the same form key at every visit.
      formKey: shown?.id ?? randomUUID(),
      constraint: getZodConstraint(generatorFormSchema),
      balance,
      shown: shown && withImageUrls(shown, ""),
      history: history
        .filter(({ id }) => id !== shown?.id)
        .map((generation) => withImageUrls(generation, "")),
    },
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
  const { locale, visitor } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (!visitor) {
    const signIn = new URLSearchParams({ redirectTo: `/${locale}/demo/image-generator` });
    return (
      <Page title={t("generator.title")} lead={t("generator.lead")}>
        <p className="max-w-text">{t("generator.signInFirst")}</p>
        <p>
          <ButtonLink href={`/${locale}/sign-in?${signIn}`}>{t("nav.signIn")}</ButtonLink>
        </p>
      </Page>
    );
  }
  const { formKey, constraint, balance, shown, history } = visitor;
  return (
    <Page title={t("generator.title")} lead={t("generator.lead")}>
      {shown ? <GenerationOutcome generation={shown} /> : null}
      <GeneratorForm
        formKey={formKey}
        constraint={constraint}
        balance={balance}
        result={refused?.result}
        defaultPrompt={shown?.prompt}
      />
      <GenerationHistory generations={history} locale={locale} />
    </Page>
  );
}
