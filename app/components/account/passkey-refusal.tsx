import { useTranslations } from "use-intl";
import { Notice } from "~/components/ui/notice";
import { useWait } from "~/i18n/use-wait";
import type { Refusal } from "~/utils/form-result";

/** Why a form of passkeys did nothing. */
export function PasskeyRefusal({ refusal }: { refusal: Refusal | undefined }) {
  const t = useTranslations();
  const wait = useWait();
  if (!refusal) return null;
  const texts: Record<string, string> = {
    account_disabled: t("validation.accountDisabled"),
    rate_limited: `${t("validation.tooMany")} ${wait(Number(refusal.figures.retryAfterSeconds) || 60)}`,
    last_way_in: t("passkeys.lastSignInMethod"),
    too_many_passkeys: t("passkeys.tooMany"),
    invalid_input: t("passkeys.nameInvalid"),
  };
  return <Notice tone="bad">{texts[refusal.code] ?? t("validation.passkeyRefused")}</Notice>;
}
