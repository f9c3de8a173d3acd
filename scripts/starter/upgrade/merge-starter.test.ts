import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mergeStarter } from "./merge-starter";
import { readUpgrade } from "./read-upgrade";

test("of each file that a merge leaves open, the operator is told which side deleted it", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "merge-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  const commit = (files: Record<string, string | null>) => {
    for (const [file, text] of Object.entries(files)) {
      const full = path.join(folder, file);
      mkdirSync(path.dirname(full), { recursive: true });
      if (text === null) rmSync(full);
      else writeFileSync(full, text);
    }
    git("add", "--all");
    git("commit", "--quiet", "--message", "a change");
  };

  git("init", "--quiet", "--initial-branch", "starter");
  commit({
    "prisma/schema.prisma": "",
    "prisma/migrations/meta/_snapshot.prisma": "",
    "both.md": "one\n",
    "ours.md": "one\n",
    "theirs.md": "one\n",
  });
  git("switch", "--quiet", "--create", "upgrade");
  commit({ "both.md": "mine\n", "ours.md": null, "theirs.md": "mine\n" });
  git("switch", "--quiet", "starter");
  commit({ "both.md": "new\n", "ours.md": "new\n", "theirs.md": null });
  git("switch", "--quiet", "upgrade");

  const said: string[] = [];
  await expect(
    mergeStarter(readUpgrade(folder, "starter"), {
      git: async (...args) => void git(...args),
      print: (line) => said.push(line.trim()),
    }),
  ).rejects.toThrow("git add (or git rm)");
  expect(said).toEqual([
    "In these files both sides changed the same lines, or one side deleted them:",
    "both.md",
    "ours.md: you deleted it: git rm keeps it away",
    "theirs.md: the starter deleted it: git rm, or git add to keep yours",
  ]);
});
