import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";
import type { GalleryImage } from "~/models/images/gallery-image";

interface ImageActionsProps {
  image: GalleryImage;
  generationId: string;
  locale: Locale;
}

/** Download, link and deletion of one image. Only an image that is a file has the last two. */
export function ImageActions({ image, generationId, locale }: ImageActionsProps) {
  const t = useTranslations();
  const { url, fileId, index } = image;
  const number = index + 1;
  const file = `/${locale}/files/${fileId}`;
  return (
    <figcaption className="image-actions">
      <ButtonLink
        look="secondary"
        size="small"
        href={fileId ? `${file}/download?save` : url}
        download={`image-${number}`}
        aria-label={t("generator.image.downloadNamed", { number })}
      >
        <Icon name="download" size={16} />
        {t("generator.image.download")}
      </ButtonLink>
      {fileId ? (
        <>
          <CopyButton
            text={url}
            copied={t("generator.image.copied")}
            label={t("generator.image.copyNamed", { number })}
          >
            <Icon name="link" size={16} />
            {t("generator.image.copy")}
          </CopyButton>
          <a
            className="btn btn-icon"
            href={`${file}/delete?generation=${generationId}`}
            aria-label={t("generator.image.delete", { number })}
            title={t("generator.image.deleteShort")}
          >
            <Icon name="trash" />
          </a>
        </>
      ) : null}
    </figcaption>
  );
}
