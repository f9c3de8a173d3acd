import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/ui/button";
import { Card } from "~/components/ui/card";

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
  const security = `/${locale}/account/security`;
  return (
    <>
      <Card
        id="passkeys"
        title={t("passkeys.title")}
        aside={passkeys > 0 ? <Badge tone="good">{t("security.on")}</Badge> : null}
      >
        <div className="card-form">
          <p className="muted">
            {passkeys > 0 ? t("passkeys.count", { count: passkeys }) : t("passkeys.lead")}
          </p>
          <p>
            <ButtonLink look="secondary" href={`${security}/passkeys`}>
              {passkeys > 0 ? t("passkeys.manage") : t("passkeys.add")}
            </ButtonLink>
          </p>
        </div>
      </Card>
      <Card
        id="totp"
        title={t("totp.title")}
        aside={
          <Badge tone={totp ? "good" : "neutral"}>
            {totp ? t("security.on") : t("security.off")}
          </Badge>
        }
      >
        <div className="card-form">
          <p className="muted">
            {totp ? t("totp.isOn", { count: recoveryCodesLeft }) : t("totp.isOff")}
          </p>
          <p>
            <ButtonLink look="secondary" href={`${security}/totp`}>
              {totp ? t("totp.manage") : t("totp.setUp")}
            </ButtonLink>
          </p>
        </div>
      </Card>
    </>
  );
}
