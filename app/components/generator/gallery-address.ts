/** The gallery's search and filter, as the page's address has them. */
export interface GalleryView {
  page: number;
  /** Words of the prompt; empty for all. */
  search: string;
  /** Whether failed generations are listed, too. */
  withFailed: boolean;
}

/** The address of a view, with the canvas as it is; what is usual is left out. */
export function galleryAddress(
  { page, search, withFailed }: GalleryView,
  { shownId }: { shownId: string | null },
): string {
  const parameters = new URLSearchParams({
    ...(shownId ? { generation: shownId } : {}),
    ...(search ? { q: search } : {}),
    ...(withFailed ? { failed: "show" } : {}),
    ...(page === 1 && (shownId || search || withFailed) ? {} : { page: String(page) }),
  });
  return `?${parameters}#gallery`;
}
