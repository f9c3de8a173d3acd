import { useFormatter } from "use-intl";

/** A moment to the minute, in the page's language. */
export function Time({ at }: { at: Date | string }) {
  const format = useFormatter();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()}>
      {format.dateTime(date, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}
