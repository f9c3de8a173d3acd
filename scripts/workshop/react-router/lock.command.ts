import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runCommand } from "../../lib/command";
import { LOCKFILE } from "../../starter/react-router/move";
import { movedManifest, withoutRouter } from "../../starter/react-router/packages";

await runCommand({
  name: "react-router lock",
  usage: `Writes the lockfile that the project has after the move to React Router, from the present one: every package that
both have keeps its version.`,
  async run({ print }) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "react-router-lock-"));
    const manifest = movedManifest(readFileSync("package.json", "utf8"));
    const lock = () =>
      execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
        cwd: folder,
        stdio: "inherit",
      });
    for (const file of ["package-lock.json", ".npmrc"]) copyFileSync(file, path.join(folder, file));
    // In two steps: npm finds no way from the packages that Remix needs to those of React Router.
    for (const text of [withoutRouter(manifest), manifest]) {
      writeFileSync(path.join(folder, "package.json"), text);
      lock();
    }
    copyFileSync(path.join(folder, "package-lock.json"), LOCKFILE);
    rmSync(folder, { recursive: true });
    print(`${LOCKFILE} is written`);
    return 0;
  },
});
