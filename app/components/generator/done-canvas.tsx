import { useFormatter, useTranslations } from "use-intl";
import { frameOf, GeneratedPicture } from "~/components/generator/generated-picture";
import { ImageActions } from "~/components/generator/image-actions";
import { reuseAddress } from "~/components/generator/prompt-history";
import type { CanvasGeneration, ShownGeneration } from "~/components/generator/shown-generation";
import { ButtonLink } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import { Notice } from "~/components/ui/notice";
import type { Locale } from "~/i18n/locale";

const PROVIDERS = new Map([
  ["fal", "fal"],
  ["replicate", "Replicate"],
  ["openai", "OpenAI"],
]);

const nameOf = (provider: string | null) => PROVIDERS.get(provider ?? "") ?? null;

interface DoneCanvasProps {
  generation: CanvasGeneration;
  /** Spendable credits now. */
  balance: number;
  /** The file that its owner is asked about; null if there is none. */
  deleting: string | null;
  locale: Locale;
}

/** The images of one generation, what they cost, and what can be done with them. */
export function DoneCanvas({ generation, balance, deleting, locale }: DoneCanvasProps) {
  const t = useTranslations();
  const { id, prompt, images, n, size, cost, creditsCharged } = generation;
  const came = Math.round((creditsCharged / cost) * n);
  return (
    <section className="canvas" aria-labelledby="canvas-title">
      <div className="canvas-head">
        <div className="canvas-title" role="status">
          <h2 id="canvas-title" tabIndex={-1}>
            {came < n
              ? t("generator.done.partial", {
                  count: came,
                  failed: n - came,
                  credits: cost - creditsCharged,
                })
              : t("generator.done.title", { count: n })}
          </h2>
          <p className="muted clamp wrap-anywhere">{prompt}</p>
        </div>
        <div className="row">
          <CopyButton text={prompt} copied={t("generator.image.copied")}>
            <Icon name="copy" size={16} />
            {t("generator.done.copyPrompt")}
          </CopyButton>
          {generation.isLatest ? null : (
            <ButtonLink look="secondary" size="small" href={reuseAddress(id, id)}>
              <Icon name="reuse" size={16} />
              {t("generator.done.reuse")}
            </ButtonLink>
          )}
        </div>
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
              <ImageActions
                image={image}
                prompt={prompt}
                generationId={id}
                deleting={deleting}
                locale={locale}
              />
              {image.persisted ? null : (
                <p className="small muted">{t("generator.done.temporary")}</p>
              )}
            </figure>
          );
        })}
      </div>
      <DoneFacts generation={generation} balance={balance} />
    </section>
  );
}

function DoneFacts({ generation, balance }: { generation: ShownGeneration; balance: number }) {
  const t = useTranslations();
  const format = useFormatter();
  const { creditsCharged: cost, balanceAfter, provider, passedOver } = generation;
  const maker = nameOf(provider);
  const others = passedOver.flatMap((name) => nameOf(name) ?? []);
  const seconds = Math.max(1, Math.round(generation.seconds));
  return (
    <ul className="canvas-facts small muted">
      <li>
        <Coin />
        {balanceAfter === balance
          ? t("generator.done.credits", { cost, balance })
          : t("generator.cost", { cost })}
      </li>
      <li>
        <Icon name="clock" size={16} />
        {t("generator.done.seconds", { seconds })}
      </li>
      {maker ? (
        <li>
          <Icon name="layers" size={16} />
          {others.length > 0
            ? t("generator.done.providerAfter", {
                provider: maker,
                count: others.length,
                others: format.list(others),
              })
            : t("generator.done.provider", { provider: maker })}
        </li>
      ) : null}
    </ul>
  );
}
