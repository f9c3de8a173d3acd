import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";

/** Mails a signed-in person a link that confirms who they are, for accounts without a password. */
export function ConfirmByLinkOffer({
  locale,
  redirectTo,
}: {
  locale: Locale;
  redirectTo: string | undefined;
}) {
  const t = useTranslations();
  return (
    <form method="post" action={`/${locale}/account/confirm/link`}>
      <input type="hidden" name="redirectTo" value={redirectTo} />
      <Button look="secondary" size="large" wide className="auth-button">
        <Icon name="mail" />
        {t("confirmIdentity.mailLink")}
      </Button>
    </form>
  );
}
