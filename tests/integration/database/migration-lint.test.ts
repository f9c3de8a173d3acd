import { expect, test } from "vitest";
import { createFolder } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";

const lint = (...args: string[]) => runScript("scripts/db/lint.command.ts", args, {});

test("db:lint names what is dangerous and ends with 1", async () => {
  const folder = await createFolder({
    "0001_a.sql": "CREATE TABLE other (id int PRIMARY KEY);",
    "0002_b.sql": "SELECT 1;\nDROP TABLE other;",
  });
  expect(await lint("--folder", folder)).toEqual({
    code: 1,
    stderr: "",
    stdout: `${folder}/0002_b.sql:2: ban-drop-table: Dropping a table may break existing clients.
2 files: 1 dangerous statements
`,
  });
});

test("our own migrations are safe, or say why not", async () => {
  expect(await lint()).toMatchObject({ code: 0, stderr: "" });
});
