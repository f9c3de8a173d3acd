import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Page } from "~/components/page";
import { Button, ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { thumbnailUrl } from "~/models/files/thumbnail-url.server";
import { deleteFile } from "~/models/files/uploads.server";
import { listSelectedImages } from "~/models/images/selection.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitDeletions, requirePageStore } from "~/server/files/storage-guard.server";
import { requirePageImageGeneration } from "~/server/images/generation.server";
import { requireLocale } from "~/server/request/locale-param.server";

const selectedIn = (request: Request) => new URL(request.url).searchParams.getAll("id");

/** Asks about the images of the selected generations. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  const images = await listSelectedImages({ userId, generationIds: selectedIn(request) });
  const gallery = `/${locale}/demo/image-generator`;
  if (images.length === 0) throw redirect(`${gallery}?done=nothing#gallery`);
  const t = translatorFor(locale);
  return {
    title: t("deleteImages.title", { count: images.length }),
    gallery: `${gallery}?page=1#gallery`,
    hasPublic: images.some(({ access }) => access === "public"),
    images: await Promise.all(
      images.map(async (image) => ({
        id: image.id,
        prompt: image.prompt,
        url: await thumbnailUrl(image, { store, width: 320 }),
      })),
    ),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  await limitDeletions(userId);
  const images = await listSelectedImages({ userId, generationIds: selectedIn(request) });
  for (const { id: fileId } of images) await deleteFile({ userId, store, fileId });
  return redirect(`/${locale}/demo/image-generator?done=images-deleted#gallery`, 303);
}

export default function DeleteImages() {
  const t = useTranslations();
  const { images, hasPublic, gallery } = useLoaderData<typeof loader>();
  const count = images.length;
  return (
    <Page title={t("deleteImages.title", { count })} lead={t("deleteImages.lead", { count })}>
      <ul className="gallery">
        {images.map(({ id, prompt, url }) => (
          <li key={id} className="gallery-item">
            <span className="pic sq">
              {url ? (
                <img src={url} alt={prompt.slice(0, 200)} width={320} height={320} loading="lazy" />
              ) : null}
            </span>
            <span className="gallery-prompt">{prompt}</span>
          </li>
        ))}
      </ul>
      {hasPublic ? <p className="max-w-text">{t("deleteImages.publicConsequence")}</p> : null}
      <form method="post" className="flex flex-wrap gap-3">
        <Button look="danger">{t("deleteImages.submit", { count })}</Button>
        <ButtonLink look="secondary" href={gallery}>
          {t("deleteImages.keep")}
        </ButtonLink>
      </form>
    </Page>
  );
}
