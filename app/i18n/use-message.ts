import { useTranslations } from "use-intl";
import { isValidationKey } from "~/i18n/validation-key";

/** Translates the message keys that our schemas carry; any other text is shown as it stands. */
export function useMessage(): (message: string) => string {
  const t = useTranslations();
  return (message) => (isValidationKey(message) ? t(message) : message);
}
