import { expect, test } from "vitest";
import { COMPLETE, STRIPE, unset } from "#tests/fixtures/preflight";
import { readConfiguration } from "./configuration";
import { checkLegal } from "./site-checks";

const TEMPLATES = ["en/terms", "zh/refunds"];

test.each([
  ["with live keys they are a fault", COMPLETE, TEMPLATES, "fail"],
  ["while nothing is for sale they are a warning", unset(STRIPE), TEMPLATES, "warn"],
  ["outside production they aren't looked at", { NODE_ENV: "development" }, TEMPLATES, "skip"],
  ["texts of one's own pass", COMPLETE, [], "pass"],
])("legal pages that came with the software: %s", (_, change, templates, status) => {
  const check = checkLegal(readConfiguration({ ...COMPLETE, ...change }), templates);
  expect(check.status).toBe(status);
  for (const page of status === "fail" ? templates : []) expect(check.message).toContain(page);
});
