import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Page } from "~/components/page";
import { Button, ButtonLink } from "~/components/ui/button";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { getOwnedFile } from "~/models/files/files.server";
import { deleteFile } from "~/models/files/uploads.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";
import { limitDeletions, requirePageStore } from "~/server/storage-guard.server";
import { isUuid } from "~/utils/uuid";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  requirePageStore();
  const file = await getOwnedFile({ fileId: params.fileId ?? "", userId });
  if (!file) throw new Response(null, { status: 404 });
  const { filename, access } = file;
  const title = translatorFor(locale)("deleteFile.title");
  return { title, locale, filename, access, back: pageOf({ request, locale }) };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  await limitDeletions(userId);
  const { status } = await deleteFile({ userId, store, fileId: params.fileId ?? "" });
  if (status === "file_not_found") throw new Response(null, { status: 404 });
  const back = pageOf({ request, locale });
  return redirect(`${back}${back.includes("?") ? "&" : "?"}done=deleted`, 303);
}

/** The page to return to: the generation whose image it is, if the address names one, or the files. */
function pageOf({ request, locale }: { request: Request; locale: Locale }): string {
  const generationId = new URL(request.url).searchParams.get("generation") ?? "";
  return isUuid(generationId)
    ? `/${locale}/demo/image-generator?generation=${generationId}`
    : `/${locale}/files`;
}

export default function DeleteFile() {
  const t = useTranslations();
  const { filename, access, back } = useLoaderData<typeof loader>();
  return (
    <Page title={t("deleteFile.title")} lead={t("deleteFile.lead", { name: filename })}>
      {access === "public" ? (
        <p className="max-w-text">{t("deleteFile.publicConsequence")}</p>
      ) : null}
      <form method="post" className="flex flex-wrap gap-3">
        <Button look="danger">{t("deleteFile.submit")}</Button>
        <ButtonLink look="secondary" href={back}>
          {t("deleteFile.keep")}
        </ButtonLink>
      </form>
    </Page>
  );
}
