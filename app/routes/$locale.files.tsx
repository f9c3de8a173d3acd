import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { DoneNotice } from "~/components/done-notice";
import { FileList } from "~/components/files/file-list";
import { useUploadFailure } from "~/components/files/file-messages";
import { UploadForm } from "~/components/files/upload-form";
import { Notice } from "~/components/notice";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { listOwnedFiles } from "~/models/files/files.server";
import type { PageHandle } from "~/root";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { requirePageUser } from "~/server/session.server";
import { mayPublish, requirePageStore } from "~/server/storage-guard.server";
import { pageHeaders } from "~/utils/page-headers";
import { confirmFromForm, receiveUpload } from "./$locale.files.server";

export const headers = pageHeaders;
export const handle: PageHandle = { interactive: ["files", "validation"] };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  requirePageStore();
  const search = new URL(request.url).searchParams;
  const { files, nextCursor } = await listOwnedFiles({
    userId: user.id,
    cursor: search.get("cursor"),
  });
  return {
    title: translatorFor(locale)("files.title"),
    locale,
    done: search.get("done"),
    files: files.map(({ id, filename, status, access, size, createdAt }) => ({
      fileId: id,
      filename,
      status,
      access,
      size,
      createdAt: createdAt.toISOString(),
    })),
    nextCursor,
    canPublish: mayPublish(user),
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const visitor = { user: await requirePageUser(request, locale), store: requirePageStore() };
  const isUpload = request.headers.get("Content-Type")?.startsWith("multipart/form-data");
  try {
    await (isUpload ? receiveUpload : confirmFromForm)(request, visitor);
    return redirect(`/${locale}/files?done=uploaded`, 303);
  } catch (error) {
    return formRefused({ error });
  }
});

export default function Files() {
  const t = useTranslations();
  const failureText = useUploadFailure();
  const { locale, done, files, nextCursor, canPublish } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const faults = refusal?.fields.file;
  return (
    <Page title={t("files.title")} lead={t("files.lead")}>
      <DoneNotice
        done={done}
        texts={{ uploaded: t("files.uploaded"), deleted: t("files.deleted") }}
      />
      {refusal && !faults ? <Notice tone="danger">{failureText(refusal)}</Notice> : null}
      <UploadForm faults={faults} canPublish={canPublish} />
      <FileList files={files} locale={locale} />
      {nextCursor ? (
        <p>
          <a href={`?cursor=${nextCursor}`} className="text-accent underline">
            {t("files.older")}
          </a>
        </p>
      ) : null}
    </Page>
  );
}
