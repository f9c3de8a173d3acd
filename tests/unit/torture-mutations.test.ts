import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MUTATIONS } from "../torture/mutations/list";
import { type Mutation, mutate } from "../torture/mutations/mutation";

/** A folder with copies of the files that mutations change. */
async function copyFiles(mutations: readonly Mutation[]): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), "mutations-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of filesOf(mutations)) await cp(file, path.join(root, file));
  return root;
}

const filesOf = (mutations: readonly Mutation[]) =>
  new Set(mutations.flatMap(({ edits }) => edits.map(({ file }) => file)));

const readAll = (root: string, mutation: Mutation) =>
  Promise.all([...filesOf([mutation])].map((file) => readFile(path.join(root, file), "utf8")));

test("each mutation still fits the code, changes it, and is taken out again", async () => {
  const root = await copyFiles(MUTATIONS);
  for (const mutation of MUTATIONS) {
    const before = await readAll(root, mutation);
    const restore = await mutate(root, mutation);
    expect(await readAll(root, mutation), mutation.name).not.toEqual(before);
    await restore();
    expect(await readAll(root, mutation), mutation.name).toEqual(before);
  }
});

test("a mutation whose text is gone, or stands there twice, is refused by its name", async () => {
  const file = "app/models/credits/amount.ts";
  const root = await copyFiles([{ name: "", rule: 1, edits: [{ file, find: "", replace: "" }] }]);
  for (const find of ["no such text", "e"]) {
    const mutation = { name: "an old one", rule: 1, edits: [{ file, find, replace: "" }] };
    await expect(mutate(root, mutation)).rejects.toThrow(`"an old one": ${file}`);
  }
});

test("the table of torture's page has each mutation, with the rule that it breaks", async () => {
  const page = await readFile("docs/torture.md", "utf8");
  const rows = [...page.matchAll(/^\| (.+?) \| \[(\d+)\]\(rules\.md#/gm)];
  expect(rows.map(([, name, rule]) => [name, Number(rule)])).toEqual(
    MUTATIONS.map(({ name, rule }) => [name, rule]),
  );
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(16);
});
