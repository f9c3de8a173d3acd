import { expect, test } from "vitest";
import { SHOWN_FIRST, splitRows } from "~/server/admin/split-rows";
import type { AdminSection } from "~/server/admin/user-view.server";

/** So many rows, those with these numbers wanted. */
const rowsOf = (count: number, ...wanted: number[]): AdminSection["rows"] =>
  Array.from({ length: count }, (_, nth) => ({
    ...{ id: String(nth), cells: [], actions: [], isWanted: wanted.includes(nth) },
  }));

const split = (name: AdminSection["name"], rows: AdminSection["rows"]) => {
  const { first, rest } = splitRows({ name, rows });
  return [first.map(({ id }) => Number(id)), rest.map(({ id }) => Number(id))];
};

test.each([
  [
    "the newest of a list that mails are answered from",
    "orders",
    rowsOf(5),
    [
      [0, 1, 2],
      [3, 4],
    ],
  ],
  ["all of a short one", "orders", rowsOf(2), [[0, 1], []]],
  ["none of another list", "emails", rowsOf(3), [[], [0, 1, 2]]],
  [
    "what is wanted before the newest, in order",
    "deliveries",
    rowsOf(6, 4),
    [
      [0, 1, 4],
      [2, 3, 5],
    ],
  ],
  [
    "only what is wanted of another list",
    "emails",
    rowsOf(4, 1, 3),
    [
      [1, 3],
      [0, 2],
    ],
  ],
  [
    "the newest of what is wanted",
    "jobs",
    rowsOf(6, 1, 2, 4, 5),
    [
      [1, 2, 4],
      [0, 3, 5],
    ],
  ],
] as const)("a page shows %s at first", (_, name, rows, parts) => {
  expect(split(name, rows)).toEqual(parts);
  expect(SHOWN_FIRST).toBe(3);
});
