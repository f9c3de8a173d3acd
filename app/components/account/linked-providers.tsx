import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { Time } from "~/components/time";
import { type OauthProvider, PROVIDER_NAMES } from "~/services/auth/oauth/oauth-providers";

/** A provider as the page's loader returns it. */
export interface ShownProvider {
  provider: OauthProvider;
  /** Whether people can sign in with it now. */
  enabled: boolean;
  link: { label: string | null; createdAt: Date } | null;
  /** The account's only way in, which cannot be removed. */
  isLastWay: boolean;
}

/** The providers that are linked to the account, or can be. */
export function LinkedProviders({ providers }: { providers: ShownProvider[] }) {
  const t = useTranslations();
  if (providers.length === 0) return null;
  return (
    <section className="grid gap-4">
      <h2 className="text-xl font-semibold">{t("providers.title")}</h2>
      <p className="max-w-text text-ink-muted">{t("providers.hint")}</p>
      <ul className="grid max-w-form gap-4">
        {providers.map((shown) => (
          <li
            key={shown.provider}
            className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line p-4"
          >
            <ProviderState {...shown} />
            <ProviderAction {...shown} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProviderState({ provider, enabled, link, isLastWay }: ShownProvider) {
  const t = useTranslations();
  return (
    <div className="grid gap-1">
      <p className="font-medium">{PROVIDER_NAMES[provider]}</p>
      {link ? (
        <p className="wrap-anywhere text-ink-muted">
          {link.label ?? t("providers.linked")} · <Time at={link.createdAt} />
        </p>
      ) : null}
      {link && !enabled ? <p className="text-ink-muted">{t("providers.off")}</p> : null}
      {isLastWay ? <p className="max-w-text text-ink-muted">{t("providers.onlyWay")}</p> : null}
    </div>
  );
}

function ProviderAction({ provider, link, isLastWay }: ShownProvider) {
  const t = useTranslations();
  const { locale } = useParams();
  const name = PROVIDER_NAMES[provider];
  if (isLastWay) return null;
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
      <Button look="danger" name="intent" value="unlink">
        {t("providers.unlink", { provider: name })}
      </Button>
    </form>
  );
}
