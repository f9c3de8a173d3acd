import { expect, test } from "vitest";
import { lintMigrations } from "../../../scripts/db/lint/lint-migrations";
import { readMigrations } from "../../../scripts/db/migrations-folder";
import { createFolder, openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";
import { createEmptyDatabase } from "../../helpers/test-database";

const TABLES = `CREATE TABLE other (id int PRIMARY KEY);
CREATE TABLE t (a int, b varchar(9), c numeric(9,2), d timestamptz);
INSERT INTO other VALUES (1); INSERT INTO t VALUES (1, 'x', 1, now());
CREATE UNIQUE INDEX ready ON t (b);`;

/**
 * What PostgreSQL says at level DEBUG1 when a statement goes through all rows of a table. A first
 * column of long values makes a table for them, whose index is no work.
 */
const WHOLE_TABLE =
  /^(rewriting table|verifying table|validating foreign key constraint|building index) "(?!pg_toast)/;

test.each([
  ["ADD e int", false],
  ["ADD e int NOT NULL DEFAULT 1", false],
  ["ADD e timestamptz NOT NULL DEFAULT now()", false],
  ["ADD e numeric(9,2) DEFAULT '1'::numeric(9,2)", false],
  ["ADD e text[] NOT NULL DEFAULT ARRAY['a', 'b']::text[]", false],
  ["ADD e int REFERENCES other", false],
  ["ADD CONSTRAINT x CHECK (a > 0) NOT VALID", false],
  ["ADD CONSTRAINT x FOREIGN KEY (a) REFERENCES other NOT VALID", false],
  ["ADD CONSTRAINT x UNIQUE USING INDEX ready", false],
  ["ALTER a SET DEFAULT 2", false],
  ["ADD e uuid DEFAULT gen_random_uuid()", true],
  ["ADD e timestamptz DEFAULT clock_timestamp()", true],
  ["ADD e serial", true],
  ["ADD e int GENERATED ALWAYS AS IDENTITY", true],
  ["ADD e int GENERATED ALWAYS AS (a + 1) STORED", true],
  ["ADD e int DEFAULT 1 REFERENCES other", true],
  ["ADD e int CHECK (e > 0)", true],
  ["ADD e int UNIQUE", true],
  ["ALTER a TYPE bigint", true],
  ["ALTER c TYPE numeric(8,1)", true],
  ["ALTER a SET NOT NULL", true],
  ["SET UNLOGGED", true],
  ["ADD CHECK (a > 0)", true],
  ["ADD FOREIGN KEY (a) REFERENCES other", true],
  ["ADD PRIMARY KEY (a)", true],
])("PostgreSQL agrees about ALTER TABLE t %s", async (action, isDangerous) => {
  const session = await openSession(await createEmptyDatabase());
  await session.query(TABLES);
  const said: string[] = [];
  session.on("notice", ({ message = "" }) => said.push(message));
  await session.query("SET client_min_messages = debug1");
  await session.query(`ALTER TABLE t ${action}`);
  expect(said.some((line) => WHOLE_TABLE.test(line))).toBe(isDangerous);

  const folder = await createFolder({
    "0001_a.sql": TABLES,
    "0002_b.sql": `ALTER TABLE t ${action};`,
  });
  expect(lintMigrations(await readMigrations(folder)).length > 0).toBe(isDangerous);
});

test("PostgreSQL agrees that SET NOT NULL after a validated CHECK reads no row", async () => {
  const session = await openSession(await createEmptyDatabase());
  await session.query(`${TABLES} ALTER TABLE t ADD CONSTRAINT x CHECK (a IS NOT NULL)`);
  const said: string[] = [];
  session.on("notice", ({ message = "" }) => said.push(message));
  await session.query("SET client_min_messages = debug1; ALTER TABLE t ALTER a SET NOT NULL");
  expect(said.filter((line) => WHOLE_TABLE.test(line))).toEqual([]);
});

test("db:lint names what is dangerous and ends with 1; what is allowed is counted", async () => {
  const folder = await createFolder({
    "0001_a.sql": TABLES,
    "0002_b.sql": "-- lint-allow drop-column: unread\nALTER TABLE t DROP a;\nDROP TABLE other;",
  });
  const lint = (...args: string[]) =>
    runScript("scripts/db/lint.command.ts", ["--folder", folder, ...args], {});
  const { code, stdout, stderr } = await lint();
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout.split("\n").slice(1)).toEqual(["2 files: 1 dangerous, 1 allowed", ""]);
  expect(stdout).toContain(`${folder}/0002_b.sql:3: drop-table: the rows are gone`);
  expect((await lint("--all")).stdout).toContain("0002_b.sql:2: drop-column: allowed, because un");
});

test("our own migrations are safe, or say why not", async () => {
  expect(await runScript("scripts/db/lint.command.ts", [], {})).toMatchObject({ code: 0 });
});
