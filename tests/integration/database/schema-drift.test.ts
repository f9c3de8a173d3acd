import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { diffSchemas } from "../../../scripts/db/schema-engine";
import { describeDeclared } from "../../helpers/declared-schema";
import { openSession } from "../../helpers/migrations";
import { createEmptyDatabase } from "../../helpers/test-database";

async function createMigrated(): Promise<string> {
  const databaseUrl = await createEmptyDatabase();
  await migrateDatabase({ databaseUrl, folder: "prisma/migrations" });
  return databaseUrl;
}

async function createFromSchema(): Promise<string> {
  const databaseUrl = await createEmptyDatabase();
  const to = await readFile("prisma/schema.prisma", "utf8");
  const sql = await diffSchemas(databaseUrl, { from: null, to });
  const session = await openSession(databaseUrl);
  await session.query(sql ?? "");
  return databaseUrl;
}

test("all migrations from empty give exactly the schema that schema.prisma describes", async () => {
  const [migrated, described] = await Promise.all([createMigrated(), createFromSchema()]);
  const lines = await describeDeclared(migrated);
  expect(lines).toEqual(await describeDeclared(described));
  expect(lines).toContain("table users");
});

/** Drifts further with each test. */
let drifting: string;
beforeAll(async () => {
  drifting = await createMigrated();
});

test.each([
  ["ALTER TABLE users ADD COLUMN extra int", "+ column users.extra integer"],
  ["ALTER TABLE files ALTER COLUMN size TYPE bigint", "+ column files.size bigint not null"],
  [
    "ALTER TABLE files ALTER COLUMN confirmed_at TYPE timestamptz(3)",
    "+ column files.confirmed_at timestamp(3) with time zone",
  ],
  ["ALTER TABLE users ALTER COLUMN name SET NOT NULL", "+ column users.name text not null"],
  [
    "ALTER TABLE users ALTER COLUMN locale SET DEFAULT 'es'",
    "+ column users.locale text not null default 'es'::text",
  ],
  [
    "ALTER TABLE rate_limits ALTER COLUMN count ADD GENERATED ALWAYS AS IDENTITY",
    "+ column rate_limits.count integer not null identity a",
  ],
  [
    "ALTER TABLE users ADD COLUMN twice text GENERATED ALWAYS AS (locale || locale) STORED",
    "+ column users.twice text default (locale || locale) generated s",
  ],
  [
    "DROP INDEX sessions_user_id_idx",
    "- index CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id)",
  ],
  [
    "DROP INDEX users_email_key; CREATE INDEX users_email_key ON users (email)",
    "- index CREATE UNIQUE INDEX users_email_key ON public.users USING btree (email)",
  ],
  [
    "ALTER TABLE sessions DROP CONSTRAINT sessions_user_id_fkey, ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users",
    "+ constraint sessions.sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)",
  ],
  [
    "ALTER TABLE rate_limits DROP CONSTRAINT rate_limits_pkey",
    "- constraint rate_limits.rate_limits_pkey PRIMARY KEY (key)",
  ],
  [
    "ALTER TABLE users ADD CONSTRAINT one_name UNIQUE (name)",
    "+ constraint users.one_name UNIQUE (name)",
  ],
  [
    "ALTER TYPE file_access ADD VALUE 'team' BEFORE 'public'",
    "+ enum file_access ('private', 'team', 'public')",
  ],
  ["CREATE TABLE extra_table ()", "+ table extra_table"],
  ["CREATE SEQUENCE extra_sequence", "+ sequence extra_sequence"],
  ["CREATE VIEW extra_view AS SELECT 1 AS one", "+ relation v extra_view"],
])("drift by %s is seen", async (sql, line) => {
  const before = await describeDeclared(drifting);
  const session = await openSession(drifting);
  await session.query(sql);
  const after = await describeDeclared(drifting);
  const drift = [
    ...after.filter((found) => !before.includes(found)).map((found) => `+ ${found}`),
    ...before.filter((found) => !after.includes(found)).map((found) => `- ${found}`),
  ];
  expect(drift).toContain(line);
});

test("CHECK constraints, triggers, functions and partial indexes are the migrations' own", async () => {
  const databaseUrl = await createMigrated();
  const before = await describeDeclared(databaseUrl);
  const session = await openSession(databaseUrl);
  await session.query(`
    ALTER TABLE users ADD CONSTRAINT short CHECK (length(locale) < 9);
    CREATE FUNCTION quiet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
    CREATE TRIGGER quiet BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION quiet();
    CREATE INDEX pending ON files (created_at) WHERE status = 'pending'`);
  expect(await describeDeclared(databaseUrl)).toEqual(before);
});
