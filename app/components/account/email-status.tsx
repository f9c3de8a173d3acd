import { Form, Link, useNavigation, useParams } from "@remix-run/react";
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
  const busy = useNavigation().formMethod === "POST";
  return (
    <section className="grid max-w-text justify-items-start gap-3">
      <h2 className="text-xl font-semibold">{t("account.email")}</h2>
      <p className="wrap-anywhere">{email}</p>
      {verified ? <p className="text-ink-muted">{t("profile.verified")}</p> : null}
      {!verified && !mails ? <p className="text-ink-muted">{t("profile.cannotVerify")}</p> : null}
      {!verified && mails ? (
        <>
          <p className="text-ink-muted">{t("profile.unverified")}</p>
          <Form method="post">
            <Button look="secondary" name="intent" value="verify" disabled={busy}>
              {t("profile.resend")}
            </Button>
          </Form>
        </>
      ) : null}
      {mails ? (
        <Link to={`/${locale}/account/email`} className="text-accent underline">
          {t("profile.change")}
        </Link>
      ) : null}
    </section>
  );
}
