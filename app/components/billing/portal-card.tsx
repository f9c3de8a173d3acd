import { useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

/** Opens the payment provider's own page for the card and the invoices. */
export function PortalCard({ provider, verifyFirst }: { provider: string; verifyFirst: boolean }) {
  const t = useTranslations();
  const name = providerName(provider);
  return (
    <form method="post" data-reload-on-return className="card portal">
      <span className="card-icon">
        <Icon name="card" size={24} />
      </span>
      <div>
        <h2 className="h-small">{t("billing.manage")}</h2>
        <p className="muted">{t("billing.manageHint", { provider: name })}</p>
        <p className="small muted">{t("billing.openHint", { provider: name })}</p>
        {verifyFirst ? <p>{t("billing.manageVerify")}</p> : null}
      </div>
      <Button look="secondary" name="intent" value="portal">
        {t("billing.openProvider", { provider: name })}
        <Icon name="ext" size={16} />
      </Button>
    </form>
  );
}
