import { expect, test } from "vitest";
import { memoryTree } from "#tests/helpers/memory-tree";
import { manifestOf } from "../manifest";
import { CHECKSUMS_FILE } from "../migration-checksums";
import { compareTrees } from "./compare-trees";

const base = {
  same: "1",
  theirs: "1",
  mine: "1",
  both: "1",
  agreed: "1",
  gone: "1",
  goneBoth: "1",
};
const ours = {
  ...base,
  mine: "2",
  both: "2",
  agreed: "2",
  added: "1",
  addedTwice: "1",
  [CHECKSUMS_FILE]: "2",
};
const next = {
  ...base,
  theirs: "2",
  both: "3",
  agreed: "2",
  fresh: "1",
  addedTwice: "2",
  [CHECKSUMS_FILE]: "3",
};

const without = (files: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
const compare = (local: Record<string, string>, theirs: Record<string, string>) =>
  compareTrees({
    local: memoryTree(local),
    base: manifestOf(memoryTree(base), "1.0.0"),
    theirs: manifestOf(memoryTree(theirs), "1.1.0"),
  });

test("each file is sorted by who changed it; the record of migrations is nobody's to merge", () => {
  expect(compare(ours, without(next, "gone", "goneBoth"))).toEqual({
    take: ["fresh", "theirs"],
    remove: ["gone", "goneBoth"],
    both: [
      { file: "addedTwice", how: "added on both sides" },
      { file: "both", how: "changed on both sides" },
    ],
    kept: ["mine"],
    own: ["added"],
  });
});

test("what one side deleted and the other changed is for a person, too", () => {
  const { both, kept, own, take } = compare(
    without(ours, "theirs", "goneBoth"),
    without(next, "mine", "goneBoth"),
  );
  expect(both).toEqual([
    { file: "addedTwice", how: "added on both sides" },
    { file: "both", how: "changed on both sides" },
    { file: "mine", how: "changed here, deleted there" },
    { file: "theirs", how: "deleted here, changed there" },
  ]);
  expect({ kept, own, take }).toEqual({ kept: [], own: ["added"], take: ["fresh"] });
});

test("line ends are no change", () => {
  const { take, both, kept } = compare({ ...base, same: "1\r\n" }, { ...base, same: "1\n" });
  expect({ take, both, kept }).toEqual({ take: [], both: [], kept: [] });
});
