import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

const TEMPLATE_DATABASE = "template";

/** Creates a migrated database for the caller: a copy of the template, made in milliseconds. */
export function createTestDatabase(): Promise<string> {
  return createDatabase(` TEMPLATE ${TEMPLATE_DATABASE}`);
}

/** Creates an empty database for the caller. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase("");
}

async function createDatabase(from: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name}${from}`);
  } finally {
    await admin.end();
  }
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}
