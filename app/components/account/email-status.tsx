import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import { Button, ButtonLink } from "~/components/ui/button";
import { Card } from "~/components/ui/card";

interface EmailStatusProps {
  email: string;
  verified: boolean;
  /** Whether this server can send email. */
  mails: boolean;
}

/** The account's email address, whether it is verified, and the form to verify it. */
export function EmailStatus({ email, verified, mails }: EmailStatusProps) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <Card
      id="email"
      title={t("profile.email")}
      aside={
        verified ? (
          <Badge tone="good" icon="check">
            {t("profile.verified")}
          </Badge>
        ) : (
          <Badge tone="warn">{t("profile.notVerified")}</Badge>
        )
      }
    >
      <div className="card-form">
        <p className="wrap-anywhere">{email}</p>
        {verified ? null : (
          <p className="muted">{mails ? t("profile.unverified") : t("profile.cannotVerify")}</p>
        )}
        {mails ? (
          <div className="row">
            {verified ? null : (
              <form method="post">
                <Button look="secondary" name="intent" value="verify">
                  {t("profile.resend")}
                </Button>
              </form>
            )}
            <ButtonLink look={verified ? "secondary" : "quiet"} href={`/${locale}/account/email`}>
              {t("profile.change")}
            </ButtonLink>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
