import { spawnSync } from "node:child_process";
import { checkBuild } from "../lib/build-state.mjs";

/** Builds for production unless the last build was made from the present sources. */
export function buildIfStale(): void {
  if (checkBuild() === "fresh") return;
  console.log("Building…");
  const { status, stdout, stderr } = spawnSync("npm", ["run", "build"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}\n${stderr}`);
}
