import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { bookStory } from "../helpers/story/ledger-rows";
import { tellStory } from "../helpers/story/story";

const DAY = 24 * 60 * 60_000;

test.each(["2026-11-22T10:00:00Z", "2027-03-01T00:00:00Z", "2028-03-16T23:00:00Z"])(
  "told on %s, the story ends with credits for 72 images: 12 that expire and 60 that do not",
  (time) => {
    const now = new Date(time);
    const rows = bookStory(tellStory(now), now);
    expect(rows.at(-1)?.balanceAfter).toBe(72 * CREDITS_PER_IMAGE);
    const left = (expires: boolean) =>
      rows
        .filter((row) => row.remaining && (row.expiresAt !== null) === expires)
        .reduce((sum, row) => sum + (row.remaining ?? 0), 0);
    expect([left(true), left(false)]).toEqual([12 * CREDITS_PER_IMAGE, 60 * CREDITS_PER_IMAGE]);
  },
);

test("32 images were paid for in its last 30 days", () => {
  const now = new Date("2026-11-22T10:00:00Z");
  const recent = bookStory(tellStory(now), now).filter(
    ({ at, type }) =>
      at.getTime() > now.getTime() - 30 * DAY && (type === "deduction" || type === "refund"),
  );
  expect(recent.reduce((sum, { amount }) => sum + amount, 0)).toBe(-32 * CREDITS_PER_IMAGE);
});

test("the balance is never negative and follows from the amounts", () => {
  const now = new Date("2026-11-22T10:00:00Z");
  let balance = 0;
  for (const row of bookStory(tellStory(now), now)) {
    balance += row.amount;
    expect(row.balanceAfter).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
    const moved = row.allocations.reduce((sum, { amount }) => sum + amount, 0);
    expect(moved).toBe(row.type === "grant" ? 0 : row.amount);
  }
});
