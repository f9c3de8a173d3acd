import { useTranslations } from "use-intl";
import type { ShownGeneration } from "~/components/generator/shown-generation";

/** The images of one generation, each linked to its full size. */
export function GeneratedImages({ generation }: { generation: ShownGeneration }) {
  const t = useTranslations();
  const { images, prompt } = generation;
  if (images.length === 0) return <p className="text-ink-2">{t("generator.imagesGone")}</p>;
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {images.map(({ url, persisted }, index) => (
        <li key={url} className="grid content-start gap-1">
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={url}
              alt={t("generator.imageAlt", { number: index + 1, prompt: prompt.slice(0, 200) })}
              loading="lazy"
              decoding="async"
              className="w-full rounded-md border border-line bg-well"
            />
          </a>
          {persisted ? null : <p className="text-14 text-ink-2">{t("generator.temporary")}</p>}
        </li>
      ))}
    </ul>
  );
}
