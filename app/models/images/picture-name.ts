/** Characters of a prompt in a file's name. */
const LENGTH = 50;

/**
 * Returns the name of a generated picture without its extension: "A harbour, at night" becomes
 * `a-harbour-at-night-1`. Letters and digits of any script stay; a prompt without any gives `image-1`.
 */
export function pictureName(prompt: string, number: number): string {
  const words = prompt
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu);
  const name = cut((words ?? []).join("-"));
  return `${name || "image"}-${number}`;
}

/** Cuts a name after its last whole word that fits; a single long word, or a script without spaces, inside it. */
function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= LENGTH) return name;
  const start = characters.slice(0, LENGTH + 1).join("");
  const end = start.lastIndexOf("-");
  return end > 0 ? start.slice(0, end) : characters.slice(0, LENGTH).join("");
}
