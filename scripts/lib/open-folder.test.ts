import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requireOwnFolder } from "./open-folder";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "own-folder-"));
});

afterEach(() => rm(folder, { recursive: true }));

test("a folder that only this user may write to is taken", async () => {
  const own = path.join(folder, "own");
  await mkdir(own);
  await chmod(own, 0o755);
  await expect(requireOwnFolder(own)).resolves.toBeUndefined();
});

test.each([0o775, 0o757, 0o1777])("a folder with mode %o is refused", async (mode) => {
  const open = path.join(folder, "open");
  await mkdir(open);
  await chmod(open, mode);
  await expect(requireOwnFolder(open)).rejects.toThrow(/alone may write to.*Remove it/);
});

test("a link to a folder is refused", async () => {
  const link = path.join(folder, "link");
  await symlink(folder, link);
  await expect(requireOwnFolder(link)).rejects.toThrow("is not a folder");
});
