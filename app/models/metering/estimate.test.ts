import { expect, test } from "vitest";
import { ACTIONS, creditsFor, type Pack } from "~/catalog";
import { estimateRun } from "~/models/metering/estimate";

const packOf = (credits: number) =>
  ({ skuKey: `pack_${credits}`, credits, amount: 1 }) as never as Pack;
const [LARGE, SMALL, MIDDLE] = [2000, 100, 500].map(packOf) as [Pack, Pack, Pack];
const PACKS = [LARGE, SMALL, MIDDLE];
const units = ACTIONS.image.mostUnits;
const credits = creditsFor("image", units);

const estimate = (balance: number, packs = PACKS, room: number | null = null) =>
  estimateRun({ action: "image", units, balance, room, packs });

test("a run that the balance covers says what is left after it", () => {
  expect(estimate(credits + 7)).toEqual({
    action: "image",
    units,
    credits,
    balance: credits + 7,
    allowed: true,
    reason: null,
    left: 7,
    missing: 0,
    pack: null,
  });
});

test("the last credits may be spent", () => {
  expect(estimate(credits)).toMatchObject({ allowed: true, left: 0, pack: null });
});

test("a run that is one credit short names the smallest pack that covers it", () => {
  expect(estimate(credits - 1)).toMatchObject({
    allowed: false,
    reason: "insufficient_credits",
    left: 0,
    missing: 1,
    pack: SMALL,
  });
});

test("a pack that is too small isn't offered, and one that is just enough is", () => {
  const packs = [credits - 1, credits, credits + 1].map(packOf);
  expect(estimate(0, packs).pack).toBe(packs[1]);
});

test("no pack is named if none is large enough or none is on sale", () => {
  expect(estimate(0, [packOf(credits - 1)]).pack).toBeNull();
  expect(estimate(0, []).pack).toBeNull();
});

test("a limit refuses what it leaves no room for, and too few credits are said first", () => {
  const limited = (balance: number, room: number) => estimate(balance, PACKS, room);
  expect(limited(credits, credits)).toMatchObject({ allowed: true, reason: null });
  expect(limited(credits, credits - 1)).toMatchObject({
    allowed: false,
    reason: "limit_reached",
    left: 0,
    missing: 0,
    pack: null,
  });
  expect(limited(credits - 1, -5)).toMatchObject({ reason: "insufficient_credits", missing: 1 });
});
