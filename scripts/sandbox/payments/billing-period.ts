export interface BillingPeriod {
  start: Date;
  end: Date;
}

/** Returns a subscription's `index`th period, always counted from its anchor: Jan 31, Feb 28, Mar 31. */
export function periodOf(anchor: Date, index: number, monthsEach: number): BillingPeriod {
  return {
    start: addMonths(anchor, index * monthsEach),
    end: addMonths(anchor, (index + 1) * monthsEach),
  };
}

function addMonths(anchor: Date, months: number): Date {
  const date = new Date(anchor);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return date;
}
