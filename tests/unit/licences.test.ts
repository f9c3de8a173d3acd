import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { licenceFault } from "../../scripts/audit/licences/judge-licence";
import { listProductionPackages } from "../../scripts/audit/licences/production-packages";

const judge = (license: string | null, name = "left-pad") =>
  licenceFault({ name, version: "1.0.0", path: "", location: "", license });

test.each(["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND MIT", "(Unlicense OR Apache-2.0)"])(
  "%s is allowed",
  (license) => {
    expect(judge(license)).toBeNull();
  },
);

test.each<[string | null, string]>([
  ["GPL-3.0-only", "which is not allowed"],
  ["AGPL-3.0-or-later", "which is not allowed"],
  ["MIT AND GPL-2.0-only", "which is not allowed"],
  ["LGPL-3.0-or-later", "which is not allowed"],
  ["SEE LICENSE IN EULA.txt", "unknown name"],
  ["UNLICENSED", "unknown name"],
  [null, "names no licence"],
])("%s is not", (license, fault) => {
  expect(judge(license)).toContain(fault);
});

test("packages that aren't installed are no packages without faults", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "licences-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ["package.json", "package-lock.json"]) cpSync(file, path.join(folder, file));
  expect(() => listProductionPackages(folder)).toThrow("packages are not installed, such as");
});

test("an exception is of one package and one licence", () => {
  expect(judge("LGPL-3.0-or-later", "@img/sharp-libvips-linux-x64")).toBeNull();
  expect(judge("GPL-3.0-only", "@img/sharp-libvips-linux-x64")).toContain("not allowed");
});

test("what is excepted since the image has it not is not in the image", () => {
  const dockerfile = readFileSync("Dockerfile", "utf8");
  expect(dockerfile).toMatch(/npm uninstall .*\bprisma\b/);
});
