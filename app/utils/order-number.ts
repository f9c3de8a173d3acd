/**
 * The number of an order or a payment that people read out: the first twelve digits of its id, 48 random
 * bits. `4F0C-7A0E-6A4C` is the row whose id begins with `4f0c7a0e-6a4c`.
 */
export function orderNumber(id: string): string {
  const digits = id.replaceAll("-", "").slice(0, 12).toUpperCase();
  return digits.match(/.{4}/g)?.join("-") ?? digits;
}

/** The first and the last id that have this number, with or without its dashes; null if the text is no number. */
export function idsOfNumber(text: string): { first: string; last: string } | null {
  const [, one, two, three] = /^([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})$/i.exec(text) ?? [];
  if (!one) return null;
  const begin = `${one}${two}-${three}`.toLowerCase();
  return { first: `${begin}-0000-0000-000000000000`, last: `${begin}-ffff-ffff-ffffffffffff` };
}
