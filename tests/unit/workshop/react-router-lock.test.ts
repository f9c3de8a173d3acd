import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkLockfile } from "../../../scripts/starter/checks/check-lockfile";
import { LOCKFILE } from "../../../scripts/starter/react-router/move";
import { movedManifest } from "../../../scripts/starter/react-router/packages";

test("the lockfile of the move to React Router belongs to the moved package.json", () => {
  const files: Record<string, string> = {
    "package.json": movedManifest(readFileSync("package.json", "utf8")),
    "package-lock.json": readFileSync(LOCKFILE, "utf8"),
  };
  const read = (file: string) => (files[file] ? Buffer.from(files[file]) : null);
  const check = checkLockfile({ name: "the moved project", read, list: () => [] });
  expect(check, "npm run react-router:lock writes it").toMatchObject({ status: "pass" });
  expect(files["package-lock.json"]).not.toContain('"resolved"');
});
