import { useTranslations } from "use-intl";
import { useWait } from "~/i18n/use-wait";
import { isValidationKey, secondsOf } from "~/i18n/validation-key";

/** Translates the message keys in our schemas; any other text is shown unchanged. */
export function useMessage(): (message: string) => string {
  const t = useTranslations();
  const wait = useWait();
  return (message) => {
    const seconds = secondsOf(message);
    if (seconds !== null) return `${t("validation.tooMany")} ${wait(seconds)}`;
    return isValidationKey(message) ? t(message) : message;
  };
}
