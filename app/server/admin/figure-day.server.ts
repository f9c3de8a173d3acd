import type { SummedDays } from "~/models/figures/summed-credits.server";

/** The day that a request asks for, as `2026-10-31`; the newest one that is summed up where it names none or another. */
export function readFigureDay(request: Request, { first, last }: SummedDays): string {
  const day = new URL(request.url).searchParams.get("day") ?? "";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  return isDay && day >= first && day <= last ? day : last;
}
