import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import type { FinishReason } from "~/models/metering/growing/growing-action";
import type { ShownGrowth } from "~/models/metering/growing/growing-rows.server";

const ENDED = {
  stop: "growing.ended.stop",
  length: "growing.ended.length",
  credits: "growing.ended.credits",
  limit: "growing.ended.limit",
  interrupted: "growing.ended.interrupted",
} as const satisfies Record<FinishReason, string>;

/** The result that the page shows, or where it will stand. A script writes into it while it comes; without one the page refreshes itself. */
export function GrowingResult({ shown }: { shown: ShownGrowth | null }) {
  const t = useTranslations();
  const isRunning = shown?.status === "reserved";
  const failed = shown?.status === "refunded";
  return (
    <section
      className="card stack"
      aria-labelledby="result-title"
      aria-busy={isRunning}
      data-run={isRunning ? shown.id : undefined}
    >
      {isRunning ? (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      ) : null}
      <h2 id="result-title">{t("growing.result")}</h2>
      <p data-run-output="" className="whitespace-pre-wrap wrap-anywhere">
        {shown?.text}
      </p>
      <p role="status" className="muted">
        {isRunning ? t("growing.running") : null}
        {shown ? null : t("growing.empty")}
        {failed && shown.error === "prompt_rejected" ? t("growing.rejected") : null}
        {failed && shown.error !== "prompt_rejected" ? t("growing.failed") : null}
        {shown?.finishReason ? t(ENDED[shown.finishReason]) : null}{" "}
        {shown?.finishReason ? t("growing.charged", { credits: shown.creditsCharged }) : null}
      </p>
      {shown && !isRunning ? (
        <form method="post">
          <input type="hidden" name="delete" value={shown.id} />
          <Button look="danger-quiet" size="small">
            {t("growing.delete")}
          </Button>
        </form>
      ) : null}
    </section>
  );
}
