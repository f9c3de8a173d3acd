import { useTranslations } from "use-intl";
import { useHere } from "~/components/frame/use-here";
import { Icon, type IconName } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";
import type { Theme } from "~/utils/theme";

/** Lets a visitor choose between their device's theme, light and dark. A cookie keeps the choice. */
export function ThemeForm({ locale, theme }: { locale: Locale; theme: Theme }) {
  const t = useTranslations();
  const here = useHere();
  const choices: { value: Theme; text: string; icon: IconName }[] = [
    { value: "system", text: t("nav.themeSystem"), icon: "screen" },
    { value: "light", text: t("nav.themeLight"), icon: "sun" },
    { value: "dark", text: t("nav.themeDark"), icon: "moon" },
  ];
  return (
    <form
      className="segmented segmented-small"
      method="post"
      action={`/${locale}/theme`}
      aria-label={t("nav.theme")}
    >
      <input type="hidden" name="returnTo" value={`/${locale}${here}`} />
      {choices.map(({ value, text, icon }) => (
        <button key={value} type="submit" name="theme" value={value} aria-pressed={value === theme}>
          <Icon name={icon} size={16} />
          {text}
        </button>
      ))}
    </form>
  );
}
