import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/button";

/** The account's further ways to prove who signs in. */
export interface FactorSummary {
  totp: boolean;
  recoveryCodesLeft: number;
  passkeys: number;
}

/** Shows the account's passkeys and codes, with links to their pages. */
export function FactorLinks({ factors }: { factors: FactorSummary }) {
  const t = useTranslations();
  const { locale } = useParams();
  const { totp, recoveryCodesLeft, passkeys } = factors;
  return (
    <>
      <section className="grid max-w-text justify-items-start gap-3">
        <h2 className="text-xl font-semibold">{t("passkeys.title")}</h2>
        <p>{t("passkeys.count", { count: passkeys })}</p>
        <ButtonLink look="secondary" href={`/${locale}/account/security/passkeys`}>
          {t("passkeys.manage")}
        </ButtonLink>
      </section>
      <section className="grid max-w-text justify-items-start gap-3">
        <h2 className="text-xl font-semibold">{t("totp.title")}</h2>
        <p>{totp ? t("totp.isOn", { count: recoveryCodesLeft }) : t("totp.isOff")}</p>
        <ButtonLink look="secondary" href={`/${locale}/account/security/totp`}>
          {totp ? t("totp.manage") : t("totp.setUp")}
        </ButtonLink>
      </section>
    </>
  );
}
