import { expect, test } from "vitest";
import { NO_FAULT, runTorture } from "../../helpers/torture";

const MINUTES = 3;
/** The last cycle is played to its end, and then the world is closed. */
const MOST_MS = 9 * 60_000;

test.each(["stripe", "creem"])(
  "three minutes of random histories at %s find no fault, with a seed that nobody chose",
  {
    timeout: MOST_MS + 10_000,
  },
  async (provider) => {
    const own = ["--minutes", String(MINUTES), "--size", "middle", "--shrink", "0"];
    const args = [...own, "--provider", provider];
    expect(await runTorture(args, MOST_MS)).toMatch(NO_FAULT);
  },
);
