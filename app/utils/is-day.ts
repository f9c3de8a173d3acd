/** Whether a text is a day of the calendar, such as `2026-10-31`. `Date` takes `2026-02-31` for one, PostgreSQL does not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
