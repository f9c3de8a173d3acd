import { scaleBand, scaleLinear, scaleTime } from "d3-scale";

/** Ticks that an axis of numbers has, about. */
const TICKS = 4;

/** Space above the highest tick and below the axis, in pixels, so that no line is cut. */
const MARGIN = 6;

/**
 * Returns the scale of an axis of credits from 0 to a round number at or above `most`, in pixels from
 * the top, and its ticks. Credits are whole, so no tick is a fraction.
 */
export function creditScale({ most, height }: { most: number; height: number }) {
  const y = scaleLinear()
    .domain([0, Math.max(TICKS, most)])
    .nice(TICKS)
    .range([height - MARGIN, MARGIN]);
  const ticks = y.ticks(TICKS).filter(Number.isInteger);
  return { y, ticks, floor: height - MARGIN };
}

/** Returns the places of bars, one for each key, in percent of the width. */
export function barScale(keys: string[]) {
  return scaleBand().domain(keys).range([0, 100]).paddingInner(0.35).paddingOuter(0.15);
}

/** Returns the scale of an axis of time, in percent of the width. */
export function timeScale({ from, until }: { from: Date; until: Date }) {
  const last = new Date(Math.max(until.getTime(), from.getTime() + 1));
  return scaleTime().domain([from, last]).range([0, 100]);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the beginnings of UTC days from `from` to `until`, every `step` days. The last is the newest. */
export function dayTicks({ from, until, step }: { from: Date; until: Date; step: number }): Date[] {
  const newest = Math.floor(until.getTime() / DAY_MS) * DAY_MS;
  const ticks: Date[] = [];
  for (let at = newest; at >= from.getTime(); at -= step * DAY_MS) ticks.unshift(new Date(at));
  return ticks;
}
