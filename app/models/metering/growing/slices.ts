import { ACTIONS, type ActionEntry, type ActionKey, creditsAt } from "~/catalog";
import type { Measure } from "~/models/metering/growing/growing-action";

/** The part of a catalog's entry by which slices are cut. */
export type Sold = Pick<ActionEntry, "price" | "mostUnits">;

/**
 * The units in all after one more slice: all that those credits pay for which one unit more costs. A slice is a credit,
 * or more where a unit costs more. Returns the same number at the end of what a run may use.
 */
export function nextSlice({ price, mostUnits }: Sold, units: number): number {
  const paid = Math.floor((creditsAt(price, units + 1) * price.per) / price.credits);
  return Math.min(mostUnits, paid);
}

/** The units that are reserved before a result begins: all that was asked for, or the first slice. */
export const unitsAtFirst = (action: ActionKey, { limit, input }: Measure): number =>
  limit === null ? nextSlice(ACTIONS[action], input.most) : input.most + limit;
