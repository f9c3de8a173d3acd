import { useTranslations } from "use-intl";
import { LimitUse } from "~/components/account/limit-use";
import { useScopeTexts } from "~/components/account/use-scope-texts";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Facts } from "~/components/ui/facts";
import type { OwnApiKey } from "~/models/accounts/api-keys.server";

/** The account's keys, each with what it may do, what it did, and the form that revokes it. */
export function ApiKeyList({ keys }: { keys: OwnApiKey[] }) {
  const t = useTranslations();
  if (keys.length === 0) return <p className="card muted">{t("apiKeys.none")}</p>;
  return (
    <ul className="stack">
      {keys.map((key) => (
        <li key={key.id} className="card card-form wide-form">
          <ListedApiKey apiKey={key} />
        </li>
      ))}
    </ul>
  );
}

function ListedApiKey({ apiKey }: { apiKey: OwnApiKey }) {
  const t = useTranslations();
  const scopeTexts = useScopeTexts();
  const { id, name, prefix, scopes, monthlyLimit, usedThisMonth } = apiKey;
  const { createdAt, expiresAt, isExpired, lastUsedAt, lastUsedNetwork } = apiKey;
  return (
    <>
      <div className="row row-between">
        <h2 className="h-small wrap-anywhere">{name}</h2>
        {isExpired ? <Badge tone="warn">{t("apiKeys.expired")}</Badge> : null}
      </div>
      <LimitUse limit={monthlyLimit} used={usedThisMonth} />
      <Facts
        facts={[
          { name: t("apiKeys.key"), value: <code>{prefix}…</code> },
          { name: t("apiKeys.scopes"), value: scopes.map((scope) => scopeTexts[scope]).join(", ") },
          {
            name: t("apiKeys.usage"),
            value:
              monthlyLimit === null
                ? t("apiKeys.used", { used: usedThisMonth })
                : t("apiKeys.usedOf", { used: usedThisMonth, limit: monthlyLimit }),
          },
          { name: t("apiKeys.made"), value: <Time at={createdAt} /> },
          {
            name: t("apiKeys.expires"),
            value: expiresAt ? <Time at={expiresAt} /> : t("apiKeys.never"),
          },
          {
            name: t("apiKeys.lastUsed"),
            value: lastUsedAt ? (
              <>
                <Time at={lastUsedAt} /> · <span className="wrap-anywhere">{lastUsedNetwork}</span>
              </>
            ) : (
              t("apiKeys.unused")
            ),
          },
        ]}
      />
      <form method="post">
        <input type="hidden" name="keyId" value={id} />
        <Button
          look="danger-quiet"
          name="intent"
          value="revoke"
          aria-label={t("apiKeys.revokeNamed", { name })}
        >
          {t("apiKeys.revoke")}
        </Button>
      </form>
    </>
  );
}
