import { expect, test } from "vitest";
import { testTitles } from "./test-titles";

test("titles are found in every form of a test, and nowhere else", () => {
  const text = `
    test("plain", () => {});
    test(\`\${mode}: in pieces, \${count} times\`, { timeout: 1 }, () => {});
    test.each([["not a title"]])("of %s", () => {});
    test.runIf(isLinux)("conditional", () => {});
    const linuxTest = test.runIf(process.platform === "linux");
    linuxTest("of one system", () => {});
    describe("a group", () => latest("another call"));
    // test("commented out")
  `;
  expect(testTitles({ file: "a.test.ts", text })).toEqual([
    "plain",
    "",
    ": in pieces, ",
    " times",
    "of %s",
    "conditional",
    "of one system",
  ]);
});
