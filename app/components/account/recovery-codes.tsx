import { useTranslations } from "use-intl";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import { Notice } from "~/components/ui/notice";

/** New recovery codes, shown once, as plain text to copy, print or save. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useTranslations();
  const text = codes.join("\n");
  return (
    <section className="card card-form wide-form">
      <h2 className="h-small">{t("totp.codesTitle")}</h2>
      <Notice tone="warn">{t("totp.codesOnce")}</Notice>
      <pre className="overflow-x-auto rounded-md border border-line bg-well p-3 text-13 select-all sm:px-4 sm:text-16">
        {text}
      </pre>
      <p className="flex flex-wrap items-center gap-4">
        <CopyButton text={text} copied={t("totp.codesCopied")}>
          <Icon name="copy" size={16} />
          {t("totp.codesCopy")}
        </CopyButton>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
          className="link-24"
        >
          {t("totp.codesSave")}
        </a>
      </p>
    </section>
  );
}
