import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { movedManifest, REACT_ROUTER } from "./packages";

test("the moved project names no package of Remix, and keeps its own", () => {
  const before = JSON.parse(readFileSync("package.json", "utf8"));
  before.dependencies["own-package"] = "1.0.0";
  before.dependencies["react-router"] = "6.30.6";
  const moved = movedManifest(JSON.stringify(before));
  expect(moved).not.toContain("@remix-run/");
  expect(JSON.parse(moved)).toMatchObject({
    scripts: { build: expect.stringContaining("&& react-router build &&") },
    dependencies: { "own-package": "1.0.0", "react-router": REACT_ROUTER },
  });
});
