import type { SummedDays } from "~/models/figures/summed-credits.server";
import { isDay } from "~/utils/is-day";

/** The day that a request asks for, as `2026-10-31`; the newest one that is summed up where it names none or another. */
export function readFigureDay(request: Request, { first, last }: SummedDays): string {
  const day = new URL(request.url).searchParams.get("day") ?? "";
  return isDay(day) && day >= first && day <= last ? day : last;
}
