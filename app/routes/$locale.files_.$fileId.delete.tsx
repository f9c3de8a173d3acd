import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button, ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { getOwnedFile } from "~/models/files/files.server";
import { deleteFile } from "~/models/files/uploads.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { requirePageUser } from "~/server/session.server";
import { requirePageStore } from "~/server/storage-guard.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  requirePageStore();
  const file = await getOwnedFile({ fileId: params.fileId ?? "", userId });
  if (!file) throw new Response(null, { status: 404 });
  const { filename, access } = file;
  return { title: translatorFor(locale)("deleteFile.title"), locale, filename, access };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  const { status } = await deleteFile({ userId, store, fileId: params.fileId ?? "" });
  if (status === "file_not_found") throw new Response(null, { status: 404 });
  return redirect(`/${locale}/files?done=deleted`, 303);
});

export default function DeleteFile() {
  const t = useTranslations();
  const { locale, filename, access } = useLoaderData<typeof loader>();
  return (
    <Page title={t("deleteFile.title")} lead={t("deleteFile.lead", { name: filename })}>
      {access === "public" ? (
        <p className="max-w-text">{t("deleteFile.publicConsequence")}</p>
      ) : null}
      <form method="post" className="flex flex-wrap gap-3">
        <Button look="danger">{t("deleteFile.submit")}</Button>
        <ButtonLink look="secondary" href={`/${locale}/files`}>
          {t("deleteFile.keep")}
        </ButtonLink>
      </form>
    </Page>
  );
}
