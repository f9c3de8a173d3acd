import { useTranslations } from "use-intl";
import { PlainScript } from "~/components/plain-script";

/**
 * Shows whether the provider signed the return address, for providers that sign it. Informational
 * only: the page already says everything important without it.
 */
export function ReturnNote() {
  const t = useTranslations();
  return (
    <>
      <p
        aria-live="polite"
        data-return-note
        data-verified={t("checkout.verified")}
        data-deferred={t("checkout.deferred")}
        className="small muted success-text empty:hidden"
      />
      <PlainScript src="/checkout-return.js" />
    </>
  );
}
