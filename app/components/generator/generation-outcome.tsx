import { useTranslations } from "use-intl";
import { GeneratedImages } from "~/components/generator/generated-images";
import type { ShownGeneration } from "~/components/generator/shown-generation";
import { Notice } from "~/components/ui/notice";

/** The result of one generation: its images, or why there are none and that nothing was charged. */
export function GenerationOutcome({ generation }: { generation: ShownGeneration }) {
  const t = useTranslations();
  const { status, error, images, n, creditsCharged } = generation;
  return (
    <section aria-labelledby="result-heading" className="grid gap-4">
      <h2 id="result-heading" className="text-18 font-semibold">
        {t("generator.result")}
      </h2>
      {status === "charged" ? <Notice tone="info">{t("generator.running")}</Notice> : null}
      {status === "refunded" ? (
        <Notice tone="bad">
          {error === "prompt_rejected" ? t("generator.rejected") : t("generator.failed")}{" "}
          <strong>{t("generator.notCharged")}</strong>
        </Notice>
      ) : null}
      {status === "succeeded" ? (
        <>
          <Notice tone="good">
            {images.length > 0 && images.length < n
              ? t("generator.partial", { count: images.length, asked: n, cost: creditsCharged })
              : t("generator.charged", { cost: creditsCharged })}
          </Notice>
          <GeneratedImages generation={generation} />
        </>
      ) : null}
    </section>
  );
}
