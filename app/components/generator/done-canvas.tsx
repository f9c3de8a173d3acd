import { useTranslations } from "use-intl";
import { frameOf, GeneratedPicture } from "~/components/generator/generated-picture";
import { ImageActions } from "~/components/generator/image-actions";
import type { ShownGeneration } from "~/components/generator/shown-generation";
import { ButtonLink } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import { Icon } from "~/components/ui/icon";
import { Notice } from "~/components/ui/notice";
import type { Locale } from "~/i18n/locale";

const PROVIDERS = { fal: "fal", replicate: "Replicate", openai: "OpenAI" };

/** The images of one generation, what they cost, and what can be done with them. */
export function DoneCanvas({
  generation,
  locale,
}: {
  generation: ShownGeneration;
  locale: Locale;
}) {
  const t = useTranslations();
  const { id, prompt, images, n, size } = generation;
  const came = Math.round((generation.creditsCharged / generation.cost) * n);
  return (
    <section className="canvas" aria-labelledby="canvas-title">
      <div className="canvas-head">
        <div className="canvas-title" role="status">
          <h2 id="canvas-title">
            {came < n
              ? t("generator.done.partial", { count: came, asked: n })
              : t("generator.done.title", { count: n })}
          </h2>
          <p className="muted clamp wrap-anywhere">{prompt}</p>
        </div>
        <ButtonLink look="secondary" href={`?reuse=${id}#generator-prompt`}>
          <Icon name="reuse" size={16} />
          {t("generator.done.reuse")}
        </ButtonLink>
      </div>
      {images.length === 0 ? <Notice tone="info">{t("generator.done.gone")}</Notice> : null}
      <div className={images.length === 1 ? "results results-one" : "results"}>
        {images.map((image) => {
          const number = image.index + 1;
          return (
            <figure key={image.url}>
              <a className={frameOf(size)} href={image.url} target="_blank" rel="noreferrer">
                <GeneratedPicture
                  image={image}
                  size={size}
                  alt={t("generator.image.alt", { number, prompt: prompt.slice(0, 200) })}
                  sizes="(min-width: 1080px) 370px, (min-width: 480px) 45vw, 92vw"
                  eager
                />
              </a>
              <ImageActions image={image} generationId={id} locale={locale} />
              {image.persisted ? null : (
                <p className="small muted">{t("generator.done.temporary")}</p>
              )}
            </figure>
          );
        })}
      </div>
      <DoneFacts generation={generation} />
    </section>
  );
}

function DoneFacts({ generation }: { generation: ShownGeneration }) {
  const t = useTranslations();
  const { creditsCharged: cost, cost: paid, balanceAfter, provider } = generation;
  const seconds = Math.max(1, Math.round(generation.seconds));
  return (
    <ul className="canvas-facts small muted">
      <li>
        <Coin />
        {t("generator.done.credits", { cost, balance: balanceAfter ?? 0 })}
      </li>
      {cost < paid ? (
        <li>
          <Icon name="undo" size={16} />
          {t("generator.done.refunded", { cost: paid - cost })}
        </li>
      ) : null}
      <li>
        <Icon name="clock" size={16} />
        {t("generator.done.seconds", { seconds })}
      </li>
      {provider && Object.hasOwn(PROVIDERS, provider) ? (
        <li>
          <Icon name="layers" size={16} />
          {t("generator.done.provider", {
            provider: PROVIDERS[provider as keyof typeof PROVIDERS],
          })}
        </li>
      ) : null}
    </ul>
  );
}
