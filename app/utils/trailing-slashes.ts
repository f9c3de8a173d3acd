/** Removes the slashes at the end of a text. Not `/\/+$/`: that takes quadratic time on slashes elsewhere. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end--;
  return text.slice(0, end);
}
