import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";

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
    <section className="grid max-w-text justify-items-start gap-3">
      <h2 className="text-xl font-semibold">{t("account.email")}</h2>
      <p className="wrap-anywhere">{email}</p>
      {verified ? <p className="text-ink-muted">{t("profile.verified")}</p> : null}
      {!verified && !mails ? <p className="text-ink-muted">{t("profile.cannotVerify")}</p> : null}
      {!verified && mails ? (
        <>
          <p className="text-ink-muted">{t("profile.unverified")}</p>
          <form method="post">
            <Button look="secondary" name="intent" value="verify">
              {t("profile.resend")}
            </Button>
          </form>
        </>
      ) : null}
      {mails ? (
        <a href={`/${locale}/account/email`} className="text-accent underline">
          {t("profile.change")}
        </a>
      ) : null}
    </section>
  );
}
