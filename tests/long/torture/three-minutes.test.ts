import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { NO_FAULT, runTorture } from "../../helpers/torture";

const MINUTES = 3;
/** The last cycle is played to its end, and then the world is closed. The commit before may have to be built. */
const MOST_MS = 12 * 60_000;

const PREVIOUS = "HEAD~1";
/** A clone without history, and an archive, have none. */
const hasPrevious =
  spawnSync("git", ["rev-parse", "--quiet", "--verify", `${PREVIOUS}^{commit}`]).status === 0;

async function playThreeMinutes(...args: string[]): Promise<string> {
  const own = ["--minutes", String(MINUTES), "--size", "middle", "--shrink", "0"];
  return runTorture([...own, ...args], MOST_MS);
}

const patience = { timeout: MOST_MS + 10_000 };

test.each(["stripe", "creem"])(
  "three minutes of random histories at %s find no fault, with a seed that nobody chose",
  patience,
  async (provider) => {
    expect(await playThreeMinutes("--provider", provider)).toMatch(NO_FAULT);
  },
);

test.skipIf(!hasPrevious).each(["server", "worker"])(
  "nor do they where the %s is a build of the commit before this one",
  patience,
  async (program) => {
    const args = ["--previous", PREVIOUS, "--as", program];
    expect(await playThreeMinutes(...args)).toMatch(NO_FAULT);
  },
);
