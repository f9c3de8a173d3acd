import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";

/** New recovery codes, shown once, as plain text to copy, print or save. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useTranslations();
  const text = codes.join("\n");
  return (
    <section className="grid max-w-text justify-items-start gap-4">
      <h2 className="text-xl font-semibold">{t("totp.codesTitle")}</h2>
      <Notice tone="warning">{t("totp.codesOnce")}</Notice>
      <pre className="rounded-md border border-line bg-surface px-4 py-3 text-base select-all">
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
          className="text-accent underline"
        >
          {t("totp.codesSave")}
        </a>
      </p>
    </section>
  );
}
