import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { folderTree, readTextOf } from "../../scripts/starter/tree";
import { type Instruction, ignoredBy, parseDockerfile, type Stage } from "./dockerfile";

const NOBODY = 65534;
/** Two sets of packages: some twenty thousand files. */
const REMOVAL_MS = 5 * 60_000;
/** Root drops its rights, since the image's own user has none. */
export const ORDINARY_USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

interface Built {
  /** The root of the last stage's file system. */
  root: string;
  /** The working directory inside it. */
  workdir: string;
  env: Record<string, string>;
  instructions: Instruction[];
}

/**
 * Runs a Dockerfile's COPY and RUN steps in a clean folder, with a folder per stage, as an ordinary
 * user and without our environment. Does what Docker would do, except for the images.
 */
export async function buildWithoutDocker(context: string): Promise<Built> {
  const base = mkdtempSync(path.join(tmpdir(), "docker-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }), REMOVAL_MS);
  chmodSync(base, 0o755);
  const home = makeFolder(path.join(base, "home"));
  const tree = folderTree(context);
  const isIgnored = ignoredBy(readTextOf(tree, ".dockerignore") ?? "");
  const source = makeFolder(path.join(base, "context"));
  for (const file of tree.list().filter((name) => !isIgnored(name))) {
    cpSync(path.join(context, file), path.join(source, file));
  }

  const built = new Map<string, Built>();
  let last: Built | undefined;
  for (const [at, stage] of parseDockerfile(readTextOf(tree, "Dockerfile") ?? "").entries()) {
    const root = makeFolder(path.join(base, stage.name ?? `stage${at}`));
    last = await buildStage(stage, { root, source, home, built });
    if (stage.name) built.set(stage.name, last);
  }
  if (!last) throw new Error("the Dockerfile has no stage");
  return last;
}

interface Surroundings {
  root: string;
  source: string;
  home: string;
  built: Map<string, Built>;
}

async function buildStage(stage: Stage, { root, source, home, built }: Surroundings) {
  const result: Built = { root, workdir: "/", env: {}, instructions: stage.instructions };
  for (const { name, flags, text } of stage.instructions) {
    const here = () => path.join(root, result.workdir);
    if (name === "WORKDIR") {
      result.workdir = path.resolve(result.workdir, text);
      makeFolder(here());
    } else if (name === "ENV") {
      for (const [, key = "", value = ""] of text.matchAll(/(\w+)=(\S+)/g)) result.env[key] = value;
    } else if (name === "COPY") {
      const [to = "", ...from] = text.split(/\s+/).reverse();
      const folder = flags.from ? built.get(flags.from)?.root : source;
      if (folder === undefined) throw new Error(`COPY from an unknown stage ${flags.from}`);
      for (const item of from) copy(path.join(folder, item), path.resolve(here(), to), to);
    } else if (name === "RUN") {
      await run(text, here(), { ...result.env, ...cleanEnvironment(home) });
    }
  }
  return result;
}

function copy(from: string, to: string, written: string): void {
  const isFile = statSync(from).isFile();
  const target = isFile && written.endsWith("/") ? path.join(to, path.basename(from)) : to;
  // Links inside node_modules are relative and must stay so.
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
  giveAway(target);
}

/** Keeps only the machine's own settings: the path of node, the registry and who vouches for it. */
export function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
  const { stdout } = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
  const environment: Record<string, string> = {
    PATH: PATH ?? "",
    HOME: home,
    npm_config_cache: path.join(home, ".npm"),
    npm_config_registry: stdout.trim(),
    ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}),
  };
  // Vite's types require a NODE_ENV everywhere; with one, `npm ci` would leave packages out.
  return environment as NodeJS.ProcessEnv;
}

function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  giveAway(folder);
  return folder;
}

function giveAway(file: string): void {
  const { uid, gid } = ORDINARY_USER;
  if (uid === undefined || gid === undefined) return;
  if (statSync(file).isDirectory()) spawnSync("chown", ["-R", `${uid}:${gid}`, file]);
  else chownSync(file, uid, gid);
}

function run(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env, ...ORDINARY_USER };
    const child = spawn("sh", ["-c", command], { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`RUN ${command} ended with ${code}:\n${output}`)),
    );
  });
}
