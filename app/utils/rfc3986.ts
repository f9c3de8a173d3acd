/** Percent-encodes all but RFC 3986's unreserved characters: `encodeURIComponent` leaves `!'()*` too. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
