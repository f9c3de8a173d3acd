import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Page } from "~/components/page";
import { Button, ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { getOwnedFile } from "~/models/files/files.server";
import { thumbnailUrl } from "~/models/files/thumbnail-url.server";
import { deleteFile } from "~/models/files/uploads.server";
import { promptOfFile } from "~/models/images/prompt-history.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { pageOfFile } from "~/server/files/page-of-file.server";
import { limitDeletions, requirePageStore } from "~/server/files/storage-guard.server";
import { requireLocale } from "~/server/request/locale-param.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  const file = await getOwnedFile({ fileId: params.fileId ?? "", userId });
  if (!file) throw new Response(null, { status: 404 });
  const { filename, access } = file;
  const title = translatorFor(locale)("deleteFile.title");
  const [picture, prompt] = await Promise.all([
    file.status === "confirmed" ? thumbnailUrl(file, { store, width: 640 }) : null,
    promptOfFile({ fileId: file.id, userId }),
  ]);
  return {
    title,
    locale,
    filename,
    access,
    picture,
    prompt,
    back: pageOfFile({ request, locale }),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  await limitDeletions(userId);
  const { status } = await deleteFile({ userId, store, fileId: params.fileId ?? "" });
  if (status === "file_not_found") throw new Response(null, { status: 404 });
  return redirect(pageOfFile({ request, locale, done: "deleted" }), 303);
}

export default function DeleteFile() {
  const t = useTranslations();
  const { filename, access, picture, prompt, back } = useLoaderData<typeof loader>();
  return (
    <Page title={t("deleteFile.title")} lead={t("deleteFile.lead", { name: filename })}>
      {picture ? (
        <figure className="delete-picture">
          <img src={picture} alt={prompt?.slice(0, 200) ?? filename} width={320} height={240} />
          {prompt ? <figcaption className="small muted clamp">{prompt}</figcaption> : null}
        </figure>
      ) : null}
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
