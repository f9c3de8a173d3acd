import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { PlainScript } from "~/components/plain-script";

/**
 * A password's input with a button that shows what was typed. `public/show-password.js` makes the button
 * appear: without it, it could do nothing.
 */
export function ShownOnDemand({ children }: { children: ReactNode }) {
  const t = useTranslations();
  return (
    <div className="password" data-password>
      {children}
      <button type="button" hidden aria-pressed="false">
        <span aria-hidden="true">{t("auth.show")}</span>
        <span aria-hidden="true" hidden>
          {t("auth.hide")}
        </span>
        <span className="sr-only">{t("auth.showPassword")}</span>
      </button>
      <PlainScript src="/show-password.js" />
    </div>
  );
}
