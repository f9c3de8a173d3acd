// biome-ignore lint/style/noRestrictedImports: this page stays open while its images are made.
import { Form } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { ShownGeneration } from "~/components/generator/shown-generation";
import { WriteToUs } from "~/components/support/write-to-us";
import { Art } from "~/components/ui/art";
import { Button, ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

interface FailedCanvasProps {
  generation: ShownGeneration;
  /** Spendable credits now. */
  balance: number;
  formKey: string;
}

/** Says that no image came and that the credits are back, and offers another try. */
export function FailedCanvas({ generation, balance, formKey }: FailedCanvasProps) {
  const t = useTranslations();
  const { id, cost, n, prompt, size, error, balanceAfter } = generation;
  const rejected = error === "prompt_rejected";
  return (
    <section className="canvas" aria-labelledby="canvas-title">
      <div className="failure">
        <Art name="failed-image" />
        <div className="stack stack-2" role="alert">
          <h2 id="canvas-title" tabIndex={-1}>
            {rejected
              ? t("generator.failed.rejectedTitle")
              : t("generator.failed.title", { count: n })}
          </h2>
          {rejected ? <p className="lead">{t("generator.failed.rules")}</p> : null}
          <p className={rejected ? "muted" : "lead"}>
            {balanceAfter === balance
              ? t("generator.failed.text", { cost, balance })
              : t("generator.failed.textThen", { cost })}
          </p>
        </div>
        <div className="row row-fill">
          {rejected ? null : (
            <Form method="post" action={`?form=${formKey}`} className="max-sm:w-full">
              <input type="hidden" name="prompt" value={prompt} />
              <input type="hidden" name="n" value={n} />
              <input type="hidden" name="size" value={size} />
              <input type="hidden" name="formKey" value={formKey} />
              <Button size="large" wide>
                {t("generator.failed.again")}{" "}
                <span className="cost">{t("generator.cost", { cost })}</span>
              </Button>
            </Form>
          )}
          <ButtonLink
            look={rejected ? "primary" : "secondary"}
            size="large"
            href="#generator-prompt"
          >
            {t("generator.failed.change")}
          </ButtonLink>
        </div>
        <details className="more">
          <summary>
            {t("generator.failed.why")} <Icon name="down" size={16} className="chev" />
          </summary>
          <p className="small muted">
            {rejected ? t("generator.failed.number") : t("generator.failed.failedWhy")}{" "}
            <code>{id}</code>{" "}
            {rejected ? null : <WriteToUs subject={t("support.request", { requestId: id })} />}
          </p>
        </details>
      </div>
    </section>
  );
}
