const SPACE = /\s/;

/**
 * Whether a text begins an SVG document: its root element, after any byte order mark, white space,
 * processing instructions, comments and `<!DOCTYPE svg …>`. Case-insensitive.
 *
 * The scanner never steps back, so its time is linear in the text's length. A single regular expression
 * for the same grammar tried every way to split a doctype and ran for hours.
 */
export function beginsSvg(text: string): boolean {
  const lower = text.toLowerCase();
  let at = lower.startsWith("\uFEFF") ? 1 : 0;
  for (;;) {
    at = afterSpace(lower, at);
    if (lower.startsWith("<svg", at)) return /[\s/>]/.test(lower.charAt(at + 4));
    const next = afterProlog(lower, at);
    if (next === null) return false;
    at = next;
  }
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text.charAt(at))) at++;
  return at;
}

/** The position after one comment, instruction or doctype; null if there is no complete one here. */
function afterProlog(text: string, at: number): number | null {
  if (text.startsWith("<!--", at)) return after(text, "-->", at + 4);
  if (text.startsWith("<?xml", at)) return after(text, "?>", at + 5);
  if (text.startsWith("<!doctype", at)) return afterDoctype(text, at + 9);
  return null;
}

/** The same for a doctype whose first word is `svg`. Its `[…]` may contain `>`; the rest may not. */
function afterDoctype(text: string, from: number): number | null {
  const name = afterSpace(text, from);
  if (name === from || !text.startsWith("svg", name)) return null;
  let at = name + 3;
  if (!/[\s>[]/.test(text.charAt(at))) return null;
  while (at < text.length && text[at] !== ">" && text[at] !== "[") at++;
  if (text[at] !== "[") return at < text.length ? at + 1 : null;
  const subsetEnd = after(text, "]", at + 1);
  return subsetEnd === null ? null : after(text, ">", subsetEnd);
}

function after(text: string, end: string, from: number): number | null {
  const at = text.indexOf(end, from);
  return at === -1 ? null : at + end.length;
}
