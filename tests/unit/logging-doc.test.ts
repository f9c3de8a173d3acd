import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SECURITY_EVENTS } from "~/utils/security-events";

/** The rows of the events table: name and meaning. */
const documented = [
  ...readFileSync("docs/logging.md", "utf8").matchAll(/^\| `([a-z]+(?:_[a-z]+)+)` \| ([^|]+) \|/gm),
].map(([, name, meaning]) => [name, meaning]);

test("docs/logging.md lists every security event, with its meaning, in the code's order", () => {
  expect(documented).toEqual(Object.entries(SECURITY_EVENTS));
});
