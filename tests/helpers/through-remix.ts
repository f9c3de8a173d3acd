/**
 * Returns another spelling of a path: an escaped letter makes it one that only Remix's own handler matches, instead
 * of those that serve constant paths directly.
 */
export const throughRemix = (path: string) =>
  path.replace(/.$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
