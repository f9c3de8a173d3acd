import { afterAll, beforeAll } from "vitest";
import { LAST_PACK, PACK, PLAN, TOP_PLAN } from "../fixtures/sold";

/** Amounts that laws about halves and thirds count with. */
const AMOUNTS = [
  [LAST_PACK, { credits: 2000, amount: 5900 }],
  [PACK, { credits: 100, amount: 500 }],
  [TOP_PLAN, { creditsPerMonth: 1200, amounts: { month: 2900, year: 29_000 } }],
  [PLAN, { creditsPerMonth: 300, amounts: { month: 900, year: 9000 } }],
] as const;

/**
 * For tests of models in their own process: whatever the catalog sells, its first and its last pack and
 * plan have these amounts while this file runs. A server has a catalog of its own.
 */
export function withFixedAmounts(): void {
  const own = AMOUNTS.map(([entry]) => [entry, { ...entry }] as const);
  beforeAll(() => {
    for (const [entry, amounts] of AMOUNTS) Object.assign(entry, amounts);
  });
  afterAll(() => {
    for (const [entry, amounts] of own) Object.assign(entry, amounts);
  });
}
