import { useTranslations } from "use-intl";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import { Notice } from "~/components/ui/notice";

/** A new key, shown once, with a command that uses it. */
export function NewApiKey({ apiKey, origin }: { apiKey: string; origin: string }) {
  const t = useTranslations();
  const command = `curl ${origin}/api/account/credits -H "Authorization: Bearer ${apiKey}"`;
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
