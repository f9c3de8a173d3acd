import { useTranslations } from "use-intl";
import { isValidationKey } from "~/i18n/validation-key";

/** Translates the message keys in our schemas; any other text is shown unchanged. */
export function useMessage(): (message: string) => string {
  const t = useTranslations();
  return (message) => (isValidationKey(message) ? t(message) : message);
}
