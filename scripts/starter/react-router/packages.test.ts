import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkLockfile } from "../checks/check-lockfile";
import { LOCKFILE } from "./move";
import { movedManifest } from "./packages";

const manifest = movedManifest(readFileSync("package.json", "utf8"));

test("the moved project names no package of Remix", () => {
  expect(manifest).not.toContain("@remix-run/");
  expect(JSON.parse(manifest).scripts.build).toMatch(/^react-router build /);
});

test("the committed lockfile belongs to the moved package.json", () => {
  const files: Record<string, string> = {
    "package.json": manifest,
    "package-lock.json": readFileSync(LOCKFILE, "utf8"),
  };
  const read = (file: string) => (files[file] ? Buffer.from(files[file]) : null);
  // If not: node --import tsx scripts/workshop/react-router/lock.command.ts
  expect(checkLockfile({ name: "the moved project", read, list: () => [] })).toMatchObject({
    status: "pass",
  });
  expect(files["package-lock.json"]).not.toContain('"resolved"');
});
