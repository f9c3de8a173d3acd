import { useFormatter } from "use-intl";

/** Returns a date in words, in UTC: "December 5", with the year unless it is this or the next few months. */
export function useDay(): (at: Date | string) => string {
  const format = useFormatter();
  return (at) => {
    const date = new Date(at);
    const isNear = Math.abs(date.getTime() - Date.now()) < NEAR_MS;
    return format.dateTime(
      date,
      isNear ? { month: "long", day: "numeric" } : { dateStyle: "long" },
    );
  };
}

/** A date within this distance needs no year to be understood. */
const NEAR_MS = 180 * 24 * 60 * 60 * 1000;
