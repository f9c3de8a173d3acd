import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import type { FinishReason, ShownText } from "~/models/text/texts.server";

const ENDED = {
  stop: "textGenerator.ended.stop",
  length: "textGenerator.ended.length",
  credits: "textGenerator.ended.credits",
  limit: "textGenerator.ended.limit",
  interrupted: "textGenerator.ended.interrupted",
} as const satisfies Record<FinishReason, string>;

/** The text that the page shows, or where it will stand. A script writes into it while a text comes; without one the page refreshes itself. */
export function TextResult({ shown }: { shown: ShownText | null }) {
  const t = useTranslations();
  const isRunning = shown?.status === "reserved";
  const failed = shown?.status === "refunded";
  return (
    <section
      className="card stack"
      aria-labelledby="result-title"
      aria-busy={isRunning}
      data-text-run={isRunning ? shown.id : undefined}
    >
      {isRunning ? (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      ) : null}
      <h2 id="result-title">{t("textGenerator.result")}</h2>
      <p data-text-output="" className="whitespace-pre-wrap wrap-anywhere">
        {shown?.text}
      </p>
      <p role="status" className="muted">
        {isRunning ? t("textGenerator.writing") : null}
        {shown ? null : t("textGenerator.empty")}
        {failed && shown.error === "prompt_rejected" ? t("textGenerator.rejected") : null}
        {failed && shown.error !== "prompt_rejected" ? t("textGenerator.failed") : null}
        {shown?.finishReason ? t(ENDED[shown.finishReason]) : null}{" "}
        {shown?.finishReason ? t("textGenerator.charged", { credits: shown.creditsCharged }) : null}
      </p>
      {shown && !isRunning ? (
        <form method="post">
          <input type="hidden" name="delete" value={shown.id} />
          <Button look="danger-quiet" size="small">
            {t("textGenerator.delete")}
          </Button>
        </form>
      ) : null}
    </section>
  );
}
