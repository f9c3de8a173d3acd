const OWN_STYLES = /<style>.*?<\/style><link rel="prefetch" as="style" href="([^"]*)"\/>/s;

/** The page as Remix renders it: with a link to the style sheet in place of the rules that a kept page has in itself. */
export function withoutOwnStyles(html: string): string {
  return html.replace(OWN_STYLES, '<link rel="stylesheet" href="$1"/>');
}
