/** Longer texts are cut: another server's response may be a whole page. */
const MOST_CHARACTERS = 4_000;

/** Every quantifier is bounded, so that no text takes long to match. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // PostgreSQL's detail of a violated constraint: the row or the key's values, up to the end.
  [/\b(Failing row contains|Key) \([\s\S]*/, "$1 [row]"],
  [/data:[\w.+/-]{1,100};base64,[\w+/=-]*/g, "[data URL]"],
  // A query may contain a signature or token; user name and password come before the host.
  [/(\w:\/\/)[^\s/@"'<>]{1,512}@/g, "$1[credentials]@"],
  [/(\w:\/\/[^\s"'<>?#]{1,2048})[?#][^\s"'<>]*/g, "$1?[query]"],
  [/[\p{L}\p{N}_.+'%&*=~-]{1,254}@[\p{L}\p{N}.-]{1,253}/gu, "[address]"],
  [/\$(?:argon2|2[aby]|scrypt|pbkdf2)[^\s"')]{0,512}/g, "[hash]"],
  [
    /(?<![\p{L}\p{N}])(?:sk|rk|pk|whsec|creem|r8|rcs)_[^\s"',)]{1,512}|\bsk-[\w-]{8,512}/gu,
    "[key]",
  ],
  [/\b(Bearer|Basic|Key) (?=[\w.~+/:=-]{0,500}\d)[\w.~+/:=-]{8,2048}/g, "$1 [key]"],
];

/**
 * Removes values that must not be logged: email addresses, password hashes, API keys, anything after
 * the `?` of a URL, and rows quoted by PostgreSQL. It matches by shape, so it cannot recognise a prompt
 * or a name: those must never be put into a message.
 */
export function scrubText(text: string): string {
  let scrubbed = text.slice(0, MOST_CHARACTERS);
  for (const [pattern, replacement] of PATTERNS) scrubbed = scrubbed.replace(pattern, replacement);
  return text.length > MOST_CHARACTERS ? `${scrubbed} [cut]` : scrubbed;
}
