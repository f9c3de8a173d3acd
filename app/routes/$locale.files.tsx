import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { DoneNotice } from "~/components/done-notice";
import { FileBrowser } from "~/components/files/file-browser";
import { useUploadFailure } from "~/components/files/file-messages";
import { UploadForm } from "~/components/files/upload-form";
import { useFileSize } from "~/components/files/use-file-size";
import type { PageHandle } from "~/components/page-handle";
import { Notice } from "~/components/ui/notice";
import { PageHead } from "~/components/ui/page-head";
import { Refusal } from "~/components/ui/refusal";
import { translatorFor } from "~/i18n/messages.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { mayPublish, requirePageStore } from "~/server/files/storage-guard.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";
import { confirmFromForm, loadFiles, receiveUpload } from "./$locale.files.server";

export const headers = pageHeaders;
export const handle: PageHandle = { interactive: ["files", "access", "validation"] };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const store = requirePageStore();
  return {
    title: translatorFor(locale)("files.title"),
    locale,
    done: new URL(request.url).searchParams.get("done"),
    canPublish: mayPublish(user),
    ...(await loadFiles(request, { user, store })),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const visitor = { user: await requirePageUser(request, locale), store: requirePageStore() };
  const isUpload = request.headers.get("Content-Type")?.startsWith("multipart/form-data");
  try {
    await (isUpload ? receiveUpload : confirmFromForm)(request, visitor);
    return redirect(`/${locale}/files?done=uploaded`, 303);
  } catch (error) {
    return formRefused({ error });
  }
}

export default function Files() {
  const t = useTranslations();
  const failureText = useUploadFailure();
  const sizeOf = useFileSize();
  const { done, canPublish, ...browser } = useLoaderData<typeof loader>();
  const { counts, quota } = browser;
  const refusal = useActionData<typeof action>()?.refusal;
  const faults = refusal?.fields.file;
  const usage = t("files.usage", { count: counts.all, size: sizeOf(counts.bytes), quota });
  return (
    <main id="main">
      <div className="wrap page">
        <PageHead title={t("files.title")} lead={counts.all > 0 ? usage : t("files.lead")} />
        <div className="stack">
          <DoneNotice
            done={done}
            texts={{
              uploaded: t("files.uploaded"),
              deleted: t("files.deleted"),
              private: t("access.nowPrivate"),
              public: t("access.nowPublic"),
            }}
          />
          {refusal && !faults ? (
            <Refusal>
              <Notice tone="bad">{failureText(refusal)}</Notice>
            </Refusal>
          ) : null}
          <UploadForm faults={faults} canPublish={canPublish} />
        </div>
        <FileBrowser {...browser} />
      </div>
    </main>
  );
}
