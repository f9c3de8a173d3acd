import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import type { Locale } from "~/i18n/locale";

/** Stands in for the studio until the visitor signs in. `cost` is in credits per image. */
export function SignInFirst({ locale, cost }: { locale: Locale; cost: number }) {
  const t = useTranslations();
  const search = new URLSearchParams({ redirectTo: `/${locale}/demo/image-generator` });
  return (
    <EmptyState
      art="images"
      title={t("generator.signIn.title")}
      action={
        <div className="row justify-center">
          <ButtonLink href={`/${locale}/sign-in?${search}`}>
            {t("generator.signIn.button")}
          </ButtonLink>
          <ButtonLink look="secondary" href={`/${locale}/sign-up?${search}`}>
            {t("generator.signIn.signUp")}
          </ButtonLink>
        </div>
      }
    >
      {t("generator.signIn.text", { cost })}
    </EmptyState>
  );
}
