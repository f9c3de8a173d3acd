import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { VerificationBanner } from "~/components/account/verification-banner";
import { DoneNotice } from "~/components/done-notice";
import { Gallery } from "~/components/generator/gallery";
import { SignedOutStudio } from "~/components/generator/signed-out-studio";
import { Studio } from "~/components/generator/studio";
import type { PageHandle } from "~/components/page-handle";
import { PageHead } from "~/components/ui/page-head";
import { getUser } from "~/server/accounts/session.server";
import { requirePageImageGeneration } from "~/server/images/generation.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";
import { generateFromForm, loadGenerator } from "./$locale.demo.image-generator.server";

/**
 * Unlike other pages, the browser may cache this one for the Back button: the form that comes back
 * still has the key it was sent with, so sending it again is charged once.
 */
export const headers: HeadersFunction = (args) => {
  const headers = new Headers(pageHeaders(args));
  headers.set("Cache-Control", "private, no-cache");
  return headers;
};
export const handle: PageHandle = {
  interactive: [
    "generator",
    "access",
    "deleteFile",
    "validation",
    "free",
    "verifyFirst",
    "support",
  ],
};

export function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  return loadGenerator(request, locale);
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const userId = (await getUser(request))?.id ?? null;
  const { clientAddress } = context;
  return generateFromForm(request, { userId, locale, clientAddress });
}

export default function ImageGenerator() {
  const t = useTranslations();
  const { locale, visitor, signedOut } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const shown = visitor?.studio.shown;
  useRefreshWhile(shown?.status === "reserved" && !shown.isAbandoned);
  return (
    <main id="main">
      <div className="wrap page">
        <PageHead title={t("generator.title")} />
        {visitor ? (
          <>
            <div className="pb-5 empty:hidden">
              <VerificationBanner />
            </div>
            <DoneNotice
              done={visitor.done}
              texts={{
                deleted: t("generator.done.deleted"),
                private: t("access.nowPrivate"),
                public: t("access.nowPublic"),
                nothing: t("generator.gallery.nothingSelected"),
                "images-deleted": t("generator.done.imagesDeleted"),
              }}
            />
            <Studio {...visitor.studio} locale={locale} result={refused?.result} />
            <Gallery {...visitor.gallery} locale={locale} shownId={shown?.id ?? null} />
          </>
        ) : (
          <SignedOutStudio {...signedOut} result={refused?.result} />
        )}
      </div>
    </main>
  );
}

const REFRESH_MS = 2_000;

/** Loads the page's data again and again. Without a script the document refreshes itself. */
function useRefreshWhile(isRunning: boolean): void {
  const revalidator = useRevalidator();
  useEffect(() => {
    if (!isRunning || revalidator.state !== "idle") return;
    const timer = setTimeout(revalidator.revalidate, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isRunning, revalidator]);
}
