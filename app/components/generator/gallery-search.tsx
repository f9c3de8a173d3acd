import { useTranslations } from "use-intl";
import { type GalleryView, galleryAddress } from "~/components/generator/gallery-address";
import { Button } from "~/components/ui/button";

interface GallerySearchProps {
  view: GalleryView;
  /** Generations that failed. */
  failed: number;
  /** The generation in the canvas. */
  shownId: string | null;
}

/** Narrows the gallery to a part of the prompts, and folds away what failed. */
export function GallerySearch({ view, failed, shownId }: GallerySearchProps) {
  const t = useTranslations();
  const { search, withFailed } = view;
  const addressOf = (change: Partial<GalleryView>) =>
    galleryAddress({ ...view, page: 1, ...change }, { shownId });
  return (
    <div className="row row-between">
      <form method="get" action="#gallery" className="row gallery-find">
        {shownId ? <input type="hidden" name="generation" value={shownId} /> : null}
        {withFailed ? <input type="hidden" name="failed" value="show" /> : null}
        <input
          type="search"
          name="q"
          defaultValue={search}
          maxLength={200}
          aria-label={t("generator.gallery.search")}
          placeholder={t("generator.gallery.search")}
          className="input gallery-search"
        />
        <Button look="secondary">{t("generator.gallery.find")}</Button>
        {search ? (
          <a className="link-24" href={addressOf({ search: "" })}>
            {t("generator.gallery.all")}
          </a>
        ) : null}
      </form>
      {failed > 0 ? (
        <a className="small link-24" href={addressOf({ withFailed: !withFailed })}>
          {withFailed
            ? t("generator.gallery.hideFailed")
            : t("generator.gallery.showFailed", { count: failed })}
        </a>
      ) : null}
    </div>
  );
}
