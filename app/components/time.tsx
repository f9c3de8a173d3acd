import { useFormatter } from "use-intl";

/**
 * A moment to the minute, in the page's language. It is in UTC until `public/page.js` shows it in the
 * reader's time zone.
 */
export function Time({ at }: { at: Date | string }) {
  const format = useFormatter();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} data-local suppressHydrationWarning>
      {format.dateTime(date, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}
