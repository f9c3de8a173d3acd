import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const FILE = ".data/dev.pid";

/**
 * Claims this clone's data for this process; a second `npm run dev` would take over the first one's
 * PostgreSQL. Throws one line while another process holds it. Ignores the file of a killed process.
 */
export function claimClone(): void {
  mkdirSync(".data", { recursive: true });
  if (tryClaim()) return;
  const holder = holderPid();
  if (holder === null || !isDev(holder)) {
    rmSync(FILE, { force: true });
    if (tryClaim()) return;
  }
  throw new Error(
    `npm run dev is already running in this clone (pid ${holderPid() ?? "unknown"}): use that one, or stop it first`,
  );
}

export function releaseClone(): void {
  if (holderPid() === process.pid) rmSync(FILE, { force: true });
}

function tryClaim(): boolean {
  try {
    writeFileSync(FILE, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function holderPid(): number | null {
  try {
    const pid = Number.parseInt(readFileSync(FILE, "utf8"), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** A pid can be reused, in a container even by this process, so the file alone proves nothing. */
function isDev(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    const args = execFileSync("ps", ["-o", "args=", "-p", `${pid}`], { encoding: "utf8" });
    return args.includes("dev.mjs");
  } catch {
    return false;
  }
}
