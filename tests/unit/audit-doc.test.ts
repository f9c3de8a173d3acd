import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "~/models/audit/audit-actions";

/** The rows of the actions table: name and meaning. */
const documented = [
  ...readFileSync("docs/security.md", "utf8").matchAll(
    /^\| `([a-z]+(?:_[a-z]+)+)` \| ([^|]+) \|/gm,
  ),
].map(([, name, meaning]) => [name, meaning]);

test("docs/security.md lists every action of the audit log, with its meaning, in the code's order", () => {
  expect(documented).toEqual(Object.entries(AUDIT_ACTIONS));
});
