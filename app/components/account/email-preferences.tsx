import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { OPTIONAL_EMAILS, type OptionalEmail } from "~/models/emails/email-kinds";

/** The kinds of email that people may turn off, each a checkbox. `muted` are those turned off. */
export function EmailPreferences({ muted }: { muted: OptionalEmail[] }) {
  const t = useTranslations();
  const labels: Record<OptionalEmail, string> = {
    receipt: t("profile.emailsReceipts"),
    subscription_ending: t("profile.emailsEnding"),
    credits_expiring: t("profile.emailsExpiring"),
    low_balance: t("profile.emailsLow"),
    monthly_limit: t("profile.emailsLimit"),
  };
  return (
    <Card id="emails" title={t("profile.emailsTitle")}>
      <form method="post" className="card-form">
        <p className="muted">{t("profile.emailsLead")}</p>
        {OPTIONAL_EMAILS.map((kind) => (
          <label key={kind} className="flex min-h-6 items-center gap-3">
            <input
              type="checkbox"
              name={kind}
              defaultChecked={!muted.includes(kind)}
              className="size-4 accent-accent"
            />
            {labels[kind]}
          </label>
        ))}
        <Button look="secondary" name="intent" value="emails">
          {t("profile.emailsSubmit")}
        </Button>
      </form>
    </Card>
  );
}
