import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { galleryAddress } from "~/components/generator/gallery-address";
import { GallerySearch } from "~/components/generator/gallery-search";
import { GallerySelection, SelectBox } from "~/components/generator/gallery-selection";
import { GeneratedPicture } from "~/components/generator/generated-picture";
import type { ShownGeneration } from "~/components/generator/shown-generation";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { EmptyState } from "~/components/ui/empty-state";
import { Icon } from "~/components/ui/icon";
import { Pager } from "~/components/ui/pager";
import type { Locale } from "~/i18n/locale";

interface GalleryProps {
  generations: ShownGeneration[];
  page: number;
  perPage: number;
  total: number;
  /** Generations that failed. */
  failed: number;
  search: string;
  withFailed: boolean;
  locale: Locale;
  /** The generation in the canvas. */
  shownId: string | null;
}

/** Everything the visitor has generated, newest first, each linked to its page. */
export function Gallery(props: GalleryProps) {
  const { generations, page, perPage, total, failed, search, withFailed, shownId } = props;
  const t = useTranslations();
  const view = { page, search, withFailed };
  const from = (page - 1) * perPage + 1;
  const range = t("generator.gallery.range", { from, to: from + generations.length - 1, total });
  return (
    <section className="section" id="gallery" aria-labelledby="gallery-title">
      <div className="section-head row row-between">
        <h2 id="gallery-title">{t("generator.gallery.title")}</h2>
        {total > perPage ? <p className="small muted num">{range}</p> : null}
      </div>
      {total + failed > 0 || search ? (
        <GallerySearch view={view} failed={failed} shownId={shownId} />
      ) : null}
      {total === 0 && search ? (
        <p className="muted">{t("generator.gallery.nothing", { search })}</p>
      ) : total === 0 ? (
        <EmptyState art="images" title={t("generator.gallery.emptyTitle")}>
          {t("generator.gallery.empty", { cost: CREDITS_PER_IMAGE })}
        </EmptyState>
      ) : (
        <ul className="gallery">
          {generations.map((generation) => (
            <li key={generation.id}>
              <GalleryItem generation={generation} isShown={generation.id === shownId} />
              {generation.images.some(({ fileId }) => fileId) ? (
                <SelectBox generationId={generation.id} prompt={generation.prompt} />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {total > 0 ? <GallerySelection locale={props.locale} /> : null}
      <Pager
        label={t("generator.gallery.pages")}
        page={page}
        pages={Math.ceil(total / perPage)}
        hrefOf={(number) => galleryAddress({ ...view, page: number }, { shownId })}
        texts={{
          newer: t("generator.gallery.newer"),
          older: t("generator.gallery.older"),
          place: (values) => t("generator.gallery.place", values),
        }}
      />
    </section>
  );
}

function GalleryItem({ generation, isShown }: { generation: ShownGeneration; isShown: boolean }) {
  const t = useTranslations();
  const { id, prompt, images, size, createdAt } = generation;
  const [first] = images;
  return (
    <a
      className="gallery-item"
      href={`?generation=${id}`}
      aria-current={isShown ? "true" : undefined}
    >
      <span className="pic sq">
        {first ? (
          <GeneratedPicture
            image={first}
            size={size}
            alt=""
            sizes="(min-width: 1080px) 270px, (min-width: 640px) 24vw, 46vw"
          />
        ) : (
          <NoPicture generation={generation} />
        )}
        {images.length > 1 ? (
          <Badge icon="layers">{t("generator.gallery.count", { count: images.length })}</Badge>
        ) : null}
      </span>
      <span className="gallery-prompt">{prompt}</span>
      <span className="tiny quiet">
        <Time at={createdAt} />
      </span>
    </a>
  );
}

/** Says why there is no picture. */
function NoPicture({ generation: { status } }: { generation: ShownGeneration }) {
  const t = useTranslations();
  return (
    <span className={status === "reserved" ? "gallery-none waiting" : "gallery-none"}>
      {status === "reserved" ? null : (
        <Icon name={status === "refunded" ? "undo" : "image"} size={24} />
      )}
      <span>
        {status === "reserved"
          ? t("generator.gallery.running")
          : status === "refunded"
            ? t("generator.gallery.failed")
            : t("generator.gallery.gone")}
      </span>
    </span>
  );
}
