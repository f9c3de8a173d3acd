import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";
import type { ImageAccess } from "~/models/images/gallery-image";

interface AccessFormProps {
  fileId: string;
  access: ImageAccess;
  /** The access that its owner asked for, until it is moved; null if it stays. */
  wantedAccess: ImageAccess | null;
  /** Names the image for screen readers. */
  name: string;
  /** The generation to return to; null to return to the files. */
  generationId: string | null;
  locale: Locale;
}

/** Makes one image private, or public again. */
export function AccessForm(props: AccessFormProps) {
  const { fileId, access, wantedAccess, name, generationId, locale } = props;
  const t = useTranslations();
  if (wantedAccess) return <span className="small muted">{t("access.moving")}</span>;
  const isPublic = access === "public";
  const search = generationId ? `?generation=${generationId}` : "";
  return (
    <form method="post" action={`/${locale}/files/${fileId}/access${search}`}>
      <input type="hidden" name="access" value={isPublic ? "private" : "public"} />
      <Button
        look="secondary"
        size="small"
        aria-label={
          isPublic ? t("access.makePrivateNamed", { name }) : t("access.makePublicNamed", { name })
        }
      >
        <Icon name={isPublic ? "lock" : "globe"} size={16} />
        {isPublic ? t("access.makePrivate") : t("access.makePublic")}
      </Button>
    </form>
  );
}
