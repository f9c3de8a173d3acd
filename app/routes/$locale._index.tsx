import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useParams, useRouteLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/button";
import { DoneNotice } from "~/components/done-notice";
import { translatorFor } from "~/i18n/messages.server";
import type { loader as layoutLoader } from "~/routes/$locale";
import { requireLocale } from "~/server/locale-param.server";

export function loader({ request, params }: LoaderFunctionArgs) {
  return {
    title: translatorFor(requireLocale(params))("home.title"),
    done: new URL(request.url).searchParams.get("done"),
  };
}

export default function Home() {
  const t = useTranslations();
  const { locale } = useParams();
  const { done } = useLoaderData<typeof loader>();
  const frame = useRouteLoaderData<typeof layoutLoader>("routes/$locale");
  const points = [
    { title: t("home.uploadTitle"), text: t("home.uploadText") },
    { title: t("home.creditsTitle"), text: t("home.creditsText") },
    { title: t("home.paymentsTitle"), text: t("home.paymentsText") },
  ];
  return (
    <main id="main" className="mx-auto grid max-w-page gap-10 px-4 py-16">
      <DoneNotice done={done} texts={{ "signed-out": frame?.user ? null : t("home.signedOut") }} />
      <div className="grid gap-4">
        <h1 className="max-w-text text-3xl font-semibold text-balance">{t("home.title")}</h1>
        <p className="max-w-text text-lg text-pretty text-ink-muted">{t("home.lead")}</p>
        <p>
          {frame?.user ? null : (
            <ButtonLink href={`/${locale}/sign-up`}>{t("home.signUp")}</ButtonLink>
          )}
          {frame?.user && frame.features.images ? (
            <ButtonLink href={`/${locale}/demo/image-generator`}>
              {t("home.openGenerator")}
            </ButtonLink>
          ) : null}
          {frame?.user && frame.features.storage && !frame.features.images ? (
            <ButtonLink href={`/${locale}/files`}>{t("home.openFiles")}</ButtonLink>
          ) : null}
        </p>
      </div>
      <ul className="grid gap-4 sm:grid-cols-3">
        {points.map((point) => (
          <li
            key={point.title}
            className="grid content-start gap-2 rounded-md border border-line p-4"
          >
            <h2 className="text-lg font-semibold">{point.title}</h2>
            <p className="text-ink-muted">{point.text}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}
