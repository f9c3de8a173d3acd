import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";

/** New recovery codes, shown once, as plain text to copy, print or save. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useTranslations();
  const text = codes.join("\n");
  return (
    <section className="card card-form wide-form">
      <h2 className="h-small">{t("totp.codesTitle")}</h2>
      <Notice tone="warn">{t("totp.codesOnce")}</Notice>
      <pre className="rounded-md border border-line bg-well px-4 py-3 text-16 select-all">
        {text}
      </pre>
      <p className="flex flex-wrap items-center gap-4">
        <Button
          type="button"
          look="secondary"
          hidden
          data-copy={text}
          data-copied={t("totp.codesCopied")}
          aria-live="polite"
          className="[&[hidden]]:hidden"
        >
          {t("totp.codesCopy")}
        </Button>
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
