import { expect, test } from "vitest";
import { memoryTree } from "#tests/helpers/memory-tree";
import { MANIFEST_FILE, manifestOf, renderManifest } from "../manifest";
import { planUpgrade } from "./plan";

const M = "prisma/migrations";

function release(version: string, more: Record<string, string> = {}) {
  const files = {
    "package.json": JSON.stringify({ version }),
    "CHANGELOG.md": `# Changelog\n\n## [${version}] - 2026-11-21\n\n- It.\n\n## [1.0.0] - 2025-11-21\n`,
    ".env.example": "OLD=\n",
    [`${M}/0001_a.sql`]: "CREATE TABLE a (id int);",
    ...more,
  };
  const manifest = renderManifest(manifestOf(memoryTree(files), version));
  return memoryTree({ ...files, [MANIFEST_FILE]: manifest });
}

test("a plan has the changelog crossed, the variables, and new migrations with what is dangerous in them", () => {
  const plan = planUpgrade({
    local: release("1.0.0"),
    upstream: release("3.0.0", {
      ".env.example": "# MAYBE=\nMUST=\n",
      [`${M}/0002_b.sql`]: "DROP TABLE a;",
    }),
  });
  expect(plan).toMatchObject({ from: "1.0.0", to: "3.0.0", skipsMajor: true });
  expect(plan.releases.map(({ version, text }) => [version, text])).toEqual([["3.0.0", "- It."]]);
  expect(plan.variables).toEqual({ added: ["MAYBE", "MUST"], required: ["MUST"], gone: ["OLD"] });
  expect(plan.migrations).toEqual([
    {
      name: "0002_b.sql",
      findings: expect.arrayContaining([expect.objectContaining({ rule: "ban-drop-table" })]),
    },
  ]);
  expect(plan.files.take).toContain(`${M}/0002_b.sql`);
});

test("new migrations are judged by the new version's own rules", () => {
  const { migrations } = planUpgrade({
    local: release("1.0.0"),
    upstream: release("2.0.0", {
      ".squawk.toml": `excluded_paths = ["${M}/0002_b.sql"]`,
      [`${M}/0002_b.sql`]: "DROP TABLE a;",
    }),
  });
  expect(migrations).toEqual([{ name: "0002_b.sql", findings: [] }]);
});

test.each([
  [{ to: "1.0.0" }, "1.0.0 is not newer than 1.0.0"],
  [{ from: "2.0.0" }, "1.1.0 is not newer than 2.0.0"],
  [{ from: "0.9.0" }, "this project is 1.0.0 by its manifest, not 0.9.0"],
  [{ to: "1.2.0" }, "memory is 1.1.0 (manifest 1.1.0), not 1.2.0: name the tag or folder"],
  [{ to: "next" }, "'next' is not a version"],
])("%j does not fit a project of 1.0.0 and an upstream of 1.1.0", (wanted, message) => {
  const [local, upstream] = [release("1.0.0"), release("1.1.0")];
  expect(() => planUpgrade({ local, upstream, ...wanted })).toThrow(message);
});
