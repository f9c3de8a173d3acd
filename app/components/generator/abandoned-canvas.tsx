import { useTranslations } from "use-intl";
import { Art } from "~/components/ui/art";

/** Says that a generation was interrupted and that its credits come back. */
export function AbandonedCanvas() {
  const t = useTranslations();
  return (
    <section className="canvas" aria-labelledby="canvas-title">
      <div className="failure" role="alert">
        <Art name="failed-image" />
        <div className="stack stack-2">
          <h2 id="canvas-title" tabIndex={-1}>
            {t("generator.abandoned.title")}
          </h2>
          <p className="lead">{t("generator.abandoned.text")}</p>
        </div>
      </div>
    </section>
  );
}
