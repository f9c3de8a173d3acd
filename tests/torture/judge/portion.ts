/** floor(credits × share), without a fraction that a number would lose. */
export const portion = (credits: number, part: number, whole: number) =>
  whole === 0 ? 0 : Number((BigInt(credits) * BigInt(Math.min(part, whole))) / BigInt(whole));
