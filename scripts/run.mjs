// `node scripts/run.mjs <command> [arguments]`: what `npm run <command>` calls. Runs the built program,
// and in a clone whose build is missing or stale the command's source. The server and the worker are never run from
// their source: their programs say themselves what is wrong. A build is fresh if the hash of its sources is
// theirs: contents and not times, because `git checkout` and copying a folder change times.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { COMMANDS, programName } from "./commands.mjs";
import { checkBuild } from "./lib/build-state.mjs";

const [name = ""] = process.argv.splice(2, 1);
const source = COMMANDS[name];
const program = `build/commands/${programName(name)}.js`;
const canRunSource = !["start", "worker"].includes(name) && hasPackage("tsx");

if (source === undefined) {
  fail(`run.mjs: '${name}' is none of: ${Object.keys(COMMANDS).join(", ")}`);
} else if (existsSync(program) && (!canRunSource || checkBuild() === "fresh")) {
  await import(pathToFileURL(program).href);
} else if (canRunSource) {
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(source).href);
} else {
  fail("There is no build yet: run `npm run build` first.");
}

/** @param {string} packageName */
function hasPackage(packageName) {
  try {
    createRequire(import.meta.url).resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} reason */
function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}
