import { expect, test } from "vitest";
import { compareVersions, parseVersion } from "./version";

test("versions are ordered as semver.org orders them", () => {
  const inOrder = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.2",
    "1.0.10",
    "1.2.0",
    "2.0.0",
  ];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
  expect(compareVersions("1.2.3-a.1", "1.2.3-a.1")).toBe(0);
});

test.each(["", "1", "1.2", "v1.2.3", "1.2.3-", "1.2.3-a..b", "1.2.x", " 1.2.3"])(
  "'%s' is no version",
  (text) => {
    expect(parseVersion(text)).toBeNull();
    expect(() => compareVersions("1.0.0", text)).toThrow("write it like 1.4.0");
  },
);
