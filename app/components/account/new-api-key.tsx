import { useTranslations } from "use-intl";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import { Notice } from "~/components/ui/notice";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";

/** An address to read for each scope. The last one gives nothing while storage is off. */
const TO_READ: readonly [ApiKeyScope, string][] = [
  ["read", "/api/account/credits"],
  ["generate", "/api/runs"],
  ["files", "/api/storage/files"],
];

interface NewApiKeyProps {
  apiKey: string;
  /** Of which the key has at least one. */
  scopes: ApiKeyScope[];
  origin: string;
}

/** A new key, shown once, with a command that uses it. */
export function NewApiKey({ apiKey, scopes, origin }: NewApiKeyProps) {
  const t = useTranslations();
  const [, path = ""] = TO_READ.find(([scope]) => scopes.includes(scope)) ?? [];
  const command = `curl ${origin}${path} -H "Authorization: Bearer ${apiKey}"`;
  return (
    <section id="new-key" className="card card-form wide-form" aria-labelledby="new-key-title">
      <h2 id="new-key-title" className="h-small">
        {t("apiKeys.newTitle")}
      </h2>
      <Notice tone="warn">{t("apiKeys.newOnce")}</Notice>
      <pre className="whitespace-pre-wrap wrap-anywhere rounded-md border border-line bg-well p-3 text-13 select-all sm:px-4 sm:text-16">
        {apiKey}
      </pre>
      <p>
        <CopyButton text={apiKey} copied={t("apiKeys.copied")}>
          <Icon name="copy" size={16} />
          {t("apiKeys.copy")}
        </CopyButton>
      </p>
      <p className="small muted">{t("apiKeys.tryIt")}</p>
      <pre className="whitespace-pre-wrap wrap-anywhere rounded-md border border-line bg-well p-3 text-13">
        {command}
      </pre>
    </section>
  );
}
