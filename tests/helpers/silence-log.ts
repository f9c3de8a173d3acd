import { afterAll, beforeAll } from "vitest";
import { setLogLevel } from "~/utils/logger.server";

/** Logs nothing in this file: random histories log thousands of lines that nobody reads. */
export function silenceLog(): void {
  beforeAll(() => setLogLevel("silent"));
  afterAll(() => setLogLevel("info"));
}
