/** How long the end of npm can go unnoticed. */
const CHECK_MS = 500;

/**
 * Stops this process as SIGTERM does once the npm that runs it is gone. npm passes SIGTERM and SIGINT
 * on, but not when it is killed outright: then the command would hold its port with nobody left to stop
 * it. `package.json` starts the command with `exec`, so npm is its parent, with no shell in between.
 * Does nothing for a command that npm didn't start.
 */
export function endWithNpm(command: string): void {
  if (process.env.npm_lifecycle_event !== command) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, CHECK_MS);
  timer.unref();
}
