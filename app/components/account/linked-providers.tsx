import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Time } from "~/components/time";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { type OauthProvider, PROVIDER_NAMES } from "~/services/auth/oauth/oauth-providers";

/** A provider as the page's loader returns it. */
export interface ShownProvider {
  provider: OauthProvider;
  /** Whether people can sign in with it now. */
  enabled: boolean;
  link: { label: string | null; createdAt: Date } | null;
  /** The account's only way in, which cannot be removed. */
  isLastMethod: boolean;
}

/** The providers that are linked to the account, or can be. */
export function LinkedProviders({ providers }: { providers: ShownProvider[] }) {
  const t = useTranslations();
  if (providers.length === 0) return null;
  return (
    <Card id="providers" title={t("providers.title")}>
      <p className="muted card-lead">{t("providers.hint")}</p>
      <ul className="rows">
        {providers.map((shown) => (
          <li key={shown.provider} className="row row-between">
            <ProviderState {...shown} />
            <ProviderAction {...shown} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ProviderState({ provider, enabled, link, isLastMethod }: ShownProvider) {
  const t = useTranslations();
  return (
    <div>
      <p>
        <b>{PROVIDER_NAMES[provider]}</b>
      </p>
      {link ? (
        <p className="small muted wrap-anywhere">
          {link.label ?? t("providers.linked")} · <Time at={link.createdAt} />
        </p>
      ) : null}
      {link && !enabled ? <p className="small muted">{t("providers.off")}</p> : null}
      {isLastMethod ? <p className="small muted">{t("providers.onlyMethod")}</p> : null}
    </div>
  );
}

function ProviderAction({ provider, link, isLastMethod }: ShownProvider) {
  const t = useTranslations();
  const { locale } = useParams();
  const name = PROVIDER_NAMES[provider];
  if (isLastMethod) return null;
  if (!link)
    return (
      <form method="post" action={`/${locale}/auth/${provider}`}>
        <Button look="secondary" name="purpose" value="link">
          {t("providers.link", { provider: name })}
        </Button>
      </form>
    );
  return (
    <form method="post">
      <input type="hidden" name="provider" value={provider} />
      <Button look="danger-quiet" name="intent" value="unlink">
        {t("providers.unlink", { provider: name })}
      </Button>
    </form>
  );
}
