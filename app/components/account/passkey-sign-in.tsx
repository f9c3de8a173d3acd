import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { LastUsedMark } from "~/components/account/last-used-mark";
import { PasskeyForm } from "~/components/account/passkey-form";
import { Icon } from "~/components/ui/icon";
import type { SignInMethod } from "~/services/auth/sign-in-methods";

interface PasskeySignInProps {
  redirectTo: string | undefined;
  lastMethod?: SignInMethod | null;
}

/** Signs in with a passkey alone: the browser lists those it has for this site. */
export function PasskeySignIn({ redirectTo, lastMethod = null }: PasskeySignInProps) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <PasskeyForm
      purpose="sign_in"
      action={`/${locale}/sign-in/passkey`}
      look="secondary"
      isWide
      label={
        <>
          <Icon name="key" />
          {t("passkeys.use")}
          <LastUsedMark way="passkey" lastMethod={lastMethod} />
        </>
      }
    >
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
    </PasskeyForm>
  );
}
