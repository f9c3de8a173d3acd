import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { PasskeyForm } from "~/components/account/passkey-form";

/** Signs in with a passkey alone: the browser lists those it has for this site. */
export function PasskeySignIn({ redirectTo }: { redirectTo: string | undefined }) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <PasskeyForm
      purpose="sign_in"
      action={`/${locale}/sign-in/passkey`}
      label={t("passkeys.signIn")}
      look="secondary"
    >
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
    </PasskeyForm>
  );
}
