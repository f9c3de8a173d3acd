// @ts-check
// Runs in a thread of its own: reading a style sheet of 65 kB takes up to half a second.
import { PurgeCSS } from "purgecss";

const ATTRIBUTE = /\[([\w-]+)/g;

/**
 * Returns the rules of a style sheet that a page can use. Rules for attributes stay, since visitors change
 * them: they open a menu, or leave a field with a mistake in it.
 * @param {{ html: string, css: string }} task
 */
export async function usedStyles({ html, css }) {
  const attributes = [...css.matchAll(ATTRIBUTE)].map(([, name = ""]) => name);
  const [used] = await new PurgeCSS().purge({
    content: [{ raw: html, extension: "html" }],
    css: [{ raw: css }],
    dynamicAttributes: [...new Set(attributes)],
    // Such as `:focus-visible` for any element: PurgeCSS finds no element in it.
    safelist: [/^:/],
    keyframes: true,
    variables: true,
  });
  return used?.css ?? css;
}
