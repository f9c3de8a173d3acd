const BEGIN = '<footer class="site-footer">';
const END = "</footer>";

/** The loader data of `routes/$locale`, as far as the footer shows it. */
export interface FrameData {
  theme: string;
  user: object | null;
}

/**
 * Keeps the footers of one path without a query: a third of a page's elements, which are the same for
 * every signed-in person with the same theme. All else that the footer shows is fixed when the process starts.
 */
export function keptFooters() {
  const kept = new Map<string, string>();
  const keyOf = ({ theme, user }: FrameData) => `${theme} ${user !== null}`;
  return {
    find: (frame: FrameData) => kept.get(keyOf(frame)),
    /** Keeps the footer of this page's HTML. */
    keep(frame: FrameData, html: string): void {
      const begin = html.lastIndexOf(BEGIN);
      const end = html.indexOf(END, begin);
      if (begin >= 0 && end >= 0) kept.set(keyOf(frame), html.slice(begin + BEGIN.length, end));
    },
  };
}
