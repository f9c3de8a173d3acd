/** An amount in minor units: the unit that the provider's API counts in. */
export interface Money {
  amount: number;
  /** ISO 4217, in any case. */
  currency: string;
}

/**
 * The currencies whose minor unit isn't a hundredth, by Stripe's list (docs.stripe.com/currencies). `Intl`
 * cannot stand in for it: its digits are for display, differ between versions, and say 0 for a dozen
 * currencies that Stripe counts in hundredths (HUF, IDR, LBP).
 */
const WHOLE = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const THOUSANDTHS = new Set("BHD JOD KWD OMR TND".split(" "));

/** Currencies that have no smaller unit, and that Stripe still counts in hundredths. */
const SHOWN_WHOLE = new Set(["ISK", "UGX"]);

/** The decimal places that a currency's minor unit stands for. */
export function minorUnitDigits(currency: string): 0 | 2 | 3 {
  const code = currency.toUpperCase();
  if (WHOLE.has(code)) return 0;
  return THOUSANDTHS.has(code) ? 3 : 2;
}

/** A minus sign: a hyphen is shorter than a plus, and a line may break after it. */
const MINUS = "\u2212";

/**
 * Formats an amount for a page, in the page's language. `short` leaves out the decimals of a whole amount,
 * as on a price tag: "$9".
 */
export function formatMoney(
  { amount, currency }: Money,
  locale: string,
  { short = false } = {},
): string {
  const digits = minorUnitDigits(currency);
  const units = 10 ** digits;
  const isShownWhole = (short || SHOWN_WHOLE.has(currency.toUpperCase())) && amount % units === 0;
  const shown = isShownWhole ? 0 : digits;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  })
    .format(amount / units)
    .replace("-", MINUS);
}

/** Formats an amount for a command or a file, exactly: `19.00 usd`. */
export function formatAmount({ amount, currency }: Money): string {
  const digits = minorUnitDigits(currency);
  if (digits === 0) return `${amount} ${currency}`;
  const text = String(Math.abs(amount)).padStart(digits + 1, "0");
  const sign = amount < 0 ? "-" : "";
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)} ${currency}`;
}

/**
 * A column's amount as a number. The database holds 64 bits, and the providers' JSON has integers up to
 * 2^53. @throws RangeError beyond that
 */
export function toMinorUnits(amount: bigint): number {
  const number = Number(amount);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${amount} minor units are more than a number holds exactly`);
}
