import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listVariables } from "~/env.server";
import { CONFIGURATION_DOC, renderConfigurationDoc } from "./configuration-doc";
import { parseDoc } from "./markdown";

const VARIABLE = {
  name: "A_B",
  group: "storage" as const,
  description: "One | two.",
  required: false,
  defaultText: null,
  alias: null,
  secret: false,
  key: false,
};
/** Returns the table's rows without the padding that aligns columns. */
const rowsOf = (...changes: Partial<typeof VARIABLE | { alias: string; defaultText: string }>[]) =>
  renderConfigurationDoc(changes.map((change) => ({ ...VARIABLE, ...change }) as typeof VARIABLE))
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.replaceAll(/ +/g, " "));

test("the committed file is what the schema says", () => {
  expect(readFileSync(CONFIGURATION_DOC, "utf8")).toBe(renderConfigurationDoc());
});

test("every variable and alias stands in it, under its group's heading", () => {
  const { anchors, codes } = parseDoc({ file: CONFIGURATION_DOC, text: renderConfigurationDoc() });
  const named = new Set(codes.map(({ text }) => text));
  for (const { name, alias } of listVariables()) {
    expect(named).toContain(name);
    if (alias) expect(named).toContain(alias);
  }
  expect([...anchors]).toEqual([
    "configuration",
    "the-service",
    "storage",
    "image-generation",
    "text-generation",
    "payments",
    "accounts",
  ]);
});

test("a row says what holds when unset, whether it is secret, and nothing that breaks the table", () => {
  expect(rowsOf({})).toEqual(["| `A_B` | – | One \\| two. |"]);
  expect(rowsOf({ defaultText: "3000" })).toEqual(["| `A_B` | `3000` | One \\| two. |"]);
  expect(rowsOf({ required: true, secret: true })).toEqual([
    "| `A_B` | **required** | One \\| two. **Secret.** |",
  ]);
});

test("aliases have a column where there is one", () => {
  expect(rowsOf({ alias: "C_D" }, {})).toEqual([
    "| `A_B` | – | `C_D` | One \\| two. |",
    "| `A_B` | – | | One \\| two. |",
  ]);
});
