import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";

/** The form that the gallery's checkboxes belong to. */
const SELECTION_FORM = "gallery-selection";

/** Buttons for the selected generations. The style sheet shows it once one is selected. */
export function GallerySelection({ locale }: { locale: Locale }) {
  const t = useTranslations();
  const address = `/${locale}/demo/image-generator`;
  return (
    <form id={SELECTION_FORM} method="get" className="row selection">
      <span className="small muted">{t("generator.gallery.selected")}</span>
      <Button look="secondary" size="small" formAction={`${address}/download`}>
        <Icon name="download" size={16} />
        {t("generator.gallery.zip")}
      </Button>
      <Button look="danger-quiet" size="small" formAction={`${address}/delete`}>
        <Icon name="trash" size={16} />
        {t("generator.gallery.deleteSelected")}
      </Button>
    </form>
  );
}

/** Selects one generation of the gallery. */
export function SelectBox({ generationId, prompt }: { generationId: string; prompt: string }) {
  const t = useTranslations();
  return (
    <input
      type="checkbox"
      name="id"
      value={generationId}
      form={SELECTION_FORM}
      className="select-box"
      aria-label={t("generator.gallery.select", { prompt: prompt.slice(0, 200) })}
    />
  );
}
