import type { KnownRun } from "../act/person";
import type { Sold } from "../act/stage";

/** The price of so many images or tokens. */
export const costOf = (action: KnownRun["action"], units: number, sold: Sold): number =>
  action === "image"
    ? units * sold.imageCredits
    : Math.max(1, Math.ceil(units / sold.tokensPerCredit));
