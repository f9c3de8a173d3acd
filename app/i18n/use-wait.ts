import { useTranslations } from "use-intl";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Returns a function that says when to try again: "Try again in 15 minutes." */
export function useWait(): (seconds: number) => string {
  const t = useTranslations();
  return (seconds) => {
    if (seconds < MINUTE) return t("validation.waitSeconds", { seconds });
    if (seconds <= 1.5 * HOUR)
      return t("validation.waitMinutes", { minutes: Math.ceil(seconds / MINUTE) });
    return t("validation.waitHours", { hours: Math.ceil(seconds / HOUR) });
  };
}
