/**
 * The number of an order or a payment that people read out: the first twelve digits of its id, 48 random
 * bits. `4F0C-7A0E-6A4C` is the row whose id begins with `4f0c7a0e-6a4c`.
 */
export function orderNumber(id: string): string {
  const digits = id.replaceAll("-", "").slice(0, 12).toUpperCase();
  return digits.match(/.{4}/g)?.join("-") ?? digits;
}
