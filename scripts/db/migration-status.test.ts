import { expect, test } from "vitest";
import { compareMigrations } from "./migration-status";

const file = (name: string, checksum = "same") => ({
  name,
  checksum,
  sql: "",
  noTransaction: false,
});
const record = (name: string) => ({ name, checksum: "same", appliedAt: new Date(0) });
const compare = (files: Parameters<typeof file>[], recorded: string[]) => {
  const status = compareMigrations(
    files.map((args) => file(...args)),
    recorded.map(record),
  );
  const names = (items: { name: string }[]) => items.map(({ name }) => name);
  return {
    applied: names(status.applied),
    pending: names(status.pending),
    changed: names(status.changed),
    missing: names(status.missing),
    outOfOrder: names(status.outOfOrder),
  };
};

test("each name is applied, pending, changed or missing", () => {
  expect(compare([["1"], ["2", "edited"], ["4"]], ["3", "2", "1"])).toEqual({
    applied: ["1"],
    pending: ["4"],
    changed: ["2"],
    missing: ["3"],
    outOfOrder: [],
  });
});

test("a pending file is out of order when it sorts before the last recorded one, by bytes", () => {
  expect(compare([["a"], ["B"], ["c"]], ["b"])).toMatchObject({
    pending: ["a", "B", "c"],
    outOfOrder: ["a", "B"],
  });
});

test("in an empty database all is pending and nothing out of order", () => {
  expect(compare([["a"], ["b"]], [])).toMatchObject({ pending: ["a", "b"], outOfOrder: [] });
});
