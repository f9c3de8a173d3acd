import { useTranslations } from "use-intl";
import { AccessForm } from "~/components/generator/access-form";
import { Button, ButtonLink } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";
import type { GalleryImage } from "~/models/images/gallery-image";
import { pictureName } from "~/models/images/picture-name";

interface ImageActionsProps {
  image: GalleryImage;
  prompt: string;
  generationId: string;
  /** The file that its owner is asked about; null if there is none. */
  deleting: string | null;
  locale: Locale;
}

/** Download, link, access and deletion of one image. Only an image that is a file has the last three. */
export function ImageActions({ image, prompt, generationId, deleting, locale }: ImageActionsProps) {
  const t = useTranslations();
  const { url, fileId, index, access, wantedAccess } = image;
  const number = index + 1;
  const file = `/${locale}/files/${fileId}`;
  if (fileId && fileId === deleting)
    return <DeleteQuestion address={`${file}/delete`} image={image} generationId={generationId} />;
  return (
    <figcaption className="image-actions">
      <ButtonLink
        look="secondary"
        size="small"
        href={fileId ? `${file}/download?save` : url}
        download={pictureName(prompt, number)}
        aria-label={t("generator.image.downloadNamed", { number })}
      >
        <Icon name="download" size={16} />
        {t("generator.image.download")}
      </ButtonLink>
      {access === "public" ? (
        <CopyButton
          text={url}
          copied={t("generator.image.copied")}
          label={t("generator.image.copyNamed", { number })}
        >
          <Icon name="link" size={16} />
          {t("generator.image.copy")}
        </CopyButton>
      ) : null}
      {fileId && access ? (
        <div className="image-ownership">
          <AccessForm
            fileId={fileId}
            access={access}
            wantedAccess={wantedAccess}
            name={t("generator.image.number", { number })}
            generationId={generationId}
            locale={locale}
          />
          <a
            className="btn btn-icon"
            href={`?generation=${generationId}&delete=${fileId}#delete-image`}
            aria-label={t("generator.image.delete", { number })}
            title={t("generator.image.deleteShort")}
          >
            <Icon name="trash" />
          </a>
        </div>
      ) : null}
    </figcaption>
  );
}

/** Asks below the image itself, so that nobody deletes another one. */
function DeleteQuestion({
  address,
  image: { index, access },
  generationId,
}: {
  address: string;
  image: GalleryImage;
  generationId: string;
}) {
  const t = useTranslations();
  const number = index + 1;
  return (
    <figcaption className="image-actions" id="delete-image">
      <p className="small">
        <b>{t("generator.image.deleteQuestion", { number })}</b>{" "}
        {access === "public" ? t("deleteFile.publicConsequence") : null}
      </p>
      <form method="post" action={`${address}?generation=${generationId}`} className="row">
        <Button look="danger" size="small">
          {t("generator.image.delete", { number })}
        </Button>
        <ButtonLink look="secondary" size="small" href={`?generation=${generationId}`}>
          {t("deleteFile.keep")}
        </ButtonLink>
      </form>
    </figcaption>
  );
}
