import { useTranslations } from "use-intl";
import type { ShownGeneration } from "~/components/generator/shown-generation";
import { Time } from "~/components/time";
import type { Locale } from "~/i18n/locale";

interface GenerationHistoryProps {
  generations: ShownGeneration[];
  locale: Locale;
}

/** Earlier generations, newest first, each linked to its result. */
export function GenerationHistory({ generations, locale }: GenerationHistoryProps) {
  const t = useTranslations();
  return (
    <section aria-labelledby="history-heading" className="grid gap-4">
      <h2 id="history-heading" className="text-lg font-semibold">
        {t("generator.earlier")}
      </h2>
      {generations.length === 0 ? (
        <p className="rounded-md border border-line p-6 text-ink-muted">{t("generator.empty")}</p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">
          {generations.map((generation) => (
            <HistoryItem key={generation.id} generation={generation} locale={locale} />
          ))}
        </ul>
      )}
    </section>
  );
}

function HistoryItem({ generation, locale }: { generation: ShownGeneration; locale: Locale }) {
  const t = useTranslations();
  const { id, prompt, images, status, creditsCharged, createdAt } = generation;
  const [thumbnail] = images;
  return (
    <li className="flex gap-3 rounded-md border border-line p-3">
      {thumbnail ? (
        <img
          src={thumbnail.url}
          alt=""
          loading="lazy"
          className="size-16 rounded-md border border-line object-cover"
        />
      ) : (
        <span aria-hidden="true" className="size-16 rounded-md border border-line bg-surface" />
      )}
      <div className="grid min-w-0 content-start gap-1">
        <a
          href={`/${locale}/demo/image-generator?generation=${id}`}
          className="line-clamp-2 wrap-anywhere text-accent underline"
        >
          {prompt}
        </a>
        <p className="text-sm text-ink-muted">
          <Time at={createdAt} />
          {" · "}
          {status === "refunded"
            ? t("generator.notCharged")
            : t("generator.cost", { cost: creditsCharged })}
        </p>
      </div>
    </li>
  );
}
