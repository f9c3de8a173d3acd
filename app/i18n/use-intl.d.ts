import type { Locale } from "~/i18n/locale";
import type en from "./locales/en.json";

declare module "use-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: typeof en;
  }
}
