import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { licenceFault } from "../../scripts/audit/licences/judge-licence";
import { LEFT_OUT, type Package, reachable } from "../../scripts/audit/licences/shipped-packages";

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

test("an exception is of one package", () => {
  expect(judge("LGPL-3.0-or-later", "@img/sharp-libvips-linux-x64")).toBeNull();
  expect(judge("GPL-3.0-only", "@img/sharp-libvips-linux-x64")).toContain("not allowed");
});

test("what a server runs with is what the project needs, without what the image leaves out", () => {
  const at = (name: string, ...to: string[]): Package => ({
    name,
    version: "1.0.0",
    license: "MIT",
    path: "",
    location: name === "shop" ? "" : name,
    to,
  });
  const packages = [
    at("shop", "web", "client"),
    at("web", "deep"),
    at("deep", "web"),
    at("client", "prisma", "pool"),
    at("prisma", "studio", "pool"),
    at("studio"),
    at("pool"),
  ];
  const names = reachable(packages).map(({ name }) => name);
  expect(names).toEqual(["client", "deep", "pool", "web"]);
});

test("the Dockerfile leaves out what the list of licences does", () => {
  const [, removed = ""] =
    /npm uninstall ((?:--\S+ )*)(.*)$/m.exec(readFileSync("Dockerfile", "utf8"))?.slice(1) ?? [];
  expect(removed.split(" ")).toEqual(LEFT_OUT);
});
